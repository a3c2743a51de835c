import { ApiError } from "../../../lib/api-error.ts";
import { apiResponse } from "../../../lib/api.ts";
import { isRecord, textField } from "../../../lib/live/live-state.ts";
import { readEventStream } from "../../../lib/read-event-stream.ts";
import type { CodeEnd, CodeFile, RunCode } from "./code-output.ts";
import { texts } from "./texts.ts";

/** Longer than any run may take, milliseconds: the service ends it before. */
const timeoutMs = 15 * 60_000;

/** Runs Python in the service. */
export const runPython: RunCode = async (code, { signal, onOutput, fileIds }) => {
  const response = await open(code, fileIds, signal, () =>
    onOutput({ stream: "stderr", text: `${texts.filesUnreadable}\n` }),
  );
  if (!response.body) throw new ApiError(response.status, "unreadable", texts.unreachable);
  for await (const events of readEventStream(response.body)) {
    for (const event of events) {
      const data: unknown = JSON.parse(event);
      if (!isRecord(data)) continue;
      if (data["type"] === "output")
        onOutput({ stream: data["stream"] === "stderr" ? "stderr" : "stdout", text: textField(data, "text") });
      else if (data["type"] === "failed") throw new ApiError(0, textField(data, "code"), textField(data, "message"));
      else if (data["type"] === "end") return readEnd(data["run"]);
    }
  }
  throw new ApiError(0, "offline", texts.unreachable);
};

async function open(
  code: string,
  files: readonly string[],
  signal: AbortSignal,
  onUnreadable: () => void,
): Promise<Response> {
  const post = (ids: readonly string[]) =>
    apiResponse("POST", "/api/v1/utils/code/execute", {
      body: { code, stream: true, ...(ids.length > 0 ? { files: ids } : {}) },
      headers: { accept: "text/event-stream" },
      signal,
      timeout: timeoutMs,
    });
  return post(files).catch((error: unknown) => {
    // One of them was deleted meanwhile, or they are too large together.
    const isAboutFiles =
      error instanceof ApiError && (error.status === 404 || error.status === 413) && files.length > 0;
    if (!isAboutFiles) throw error;
    onUnreadable();
    return post([]);
  });
}

function readEnd(run: unknown): CodeEnd {
  const fields = isRecord(run) ? run : {};
  const error = isRecord(fields["error"]) ? fields["error"] : undefined;
  const line = error?.["line"];
  return {
    result: textField(fields, "result"),
    failure: error && {
      name: textField(error, "name"),
      message: textField(error, "message"),
      line: typeof line === "number" ? line : undefined,
      traceback: textField(error, "traceback"),
    },
    files: (Array.isArray(fields["files"]) ? fields["files"] : []).filter(isRecord).map((file): CodeFile => ({
      name: textField(file, "name"),
      type: textField(file, "content_type"),
      size: Number(file["size"]) || 0,
      base64: textField(file, "base64"),
    })),
    leftOut: (Array.isArray(fields["left_out"]) ? fields["left_out"] : []).map(String),
  };
}
