import { isRecord, textField } from "../live/live-state.ts";

/** How far the reading of a file has come. */
export interface FileState {
  /** `stored`: nobody asked for it to be read. */
  status: "stored" | "pending" | "completed" | "failed";
  stage: "waiting" | "extracting" | "embedding" | undefined;
  done: number;
  /** Undefined while it is not known. */
  total: number | undefined;
  unit: "bytes" | "pages" | "slides" | "sheets" | "chunks" | undefined;
  /** Why it failed: in words, and as a code. */
  error: string;
  code: string;
}

/**
 * Reads the state of a file from the `data` of a file, the answer of `process/status`, one of its SSE frames or a `file:status`
 * event: all have the same fields. What cannot be read counts as waiting.
 */
export function readFileState(data: unknown): FileState {
  const record = isRecord(data) ? data : {};
  const progress = isRecord(record["progress"]) ? record["progress"] : {};
  const code = textField(record, "code");
  const status = record["status"];
  const stage = record["stage"];
  const unit = progress["unit"];
  return {
    status:
      code === "file_not_processed" || status === "stored"
        ? "stored"
        : status === "completed" || status === "failed"
          ? status
          : "pending",
    stage: stage === "extracting" || stage === "embedding" || stage === "waiting" ? stage : undefined,
    done: typeof progress["done"] === "number" ? progress["done"] : 0,
    total: typeof progress["total"] === "number" && progress["total"] > 0 ? progress["total"] : undefined,
    unit:
      unit === "bytes" || unit === "pages" || unit === "slides" || unit === "sheets" || unit === "chunks"
        ? unit
        : undefined,
    error: textField(record, "error"),
    code,
  };
}

/** Failures that come out the same however often the file is read: trying again is not offered for them. */
const lasting = new Set(["file_empty", "file_encrypted", "file_corrupt", "file_unsupported", "file_too_large"]);

/** Whether reading it again may help. */
export function mayReadAgain(state: FileState): boolean {
  return state.status === "stored" || (state.status === "failed" && !lasting.has(state.code));
}
