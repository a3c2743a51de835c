import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isRecord } from "../../lib/json.ts";
import type { AttachedTool, ToolScope } from "../../plugins/tool.ts";
import { isStored } from "../events/message-items.ts";
import { readInputFiles } from "./read-input-files.ts";
import { runPython } from "./run-python.ts";
import { type CodeRun, maxCodeLength, type WrittenFile } from "./schema.ts";

const source = { kind: "built-in", id: "code_interpreter", name: "Code" } as const;

/** Runs in one answer. */
const maxRuns = 20;
/** What is printed goes back to the model up to here, in characters; the middle is left out. */
const maxTold = 16_000;

/**
 * The tool with which a model runs Python in this turn; its name is that of Open WebUI. It finds the files of the question by
 * their names, and the files that it writes are stored with the chat and shown in the answer.
 */
export function codeTool(ctx: Context, body: Record<string, unknown>): AttachedTool {
  let runs = 0;
  const ids = fileIds(body["files"]);
  return {
    spec: {
      name: "execute_code",
      description:
        "Run Python 3 and get what it prints, the value of its last line and its errors. Each run starts fresh: nothing is kept from earlier runs. " +
        "There is no network. The person's attached files are in the working directory under their names; files that you write there are shown to the person. " +
        "Packages beyond the standard library may be missing.",
      parameters: {
        type: "object",
        properties: { code: { type: "string", description: "Python code", maxLength: maxCodeLength } },
        required: ["code"],
      },
    },
    source,
    async call({ code }, scope) {
      if (typeof code !== "string" || code.trim() === "" || code.length > maxCodeLength)
        return { ok: false, message: `code: a text of 1 to ${maxCodeLength} characters is needed` };
      runs += 1;
      if (runs > maxRuns) return { ok: false, message: `Only ${maxRuns} runs are possible in one answer` };
      try {
        // Files that are gone, or too large together, are no reason not to run code that may not need them.
        const files = await readInputFiles(ctx, ids).catch((error: unknown) => {
          if (error instanceof AppError) return error;
          throw error;
        });
        const isRead = Array.isArray(files);
        const run = await runPython(ctx, requireUser(ctx), { code, files: isRead ? files : [], signal: scope.signal });
        const kept = await keepFiles(ctx, run.files, scope);
        if (!isRead) kept.notes.push(`The attached files could not be read: ${files.message}`);
        return { ok: true, content: JSON.stringify(told(run, kept)), files: kept.shown };
      } catch (error) {
        if (error instanceof AppError) return { ok: false, message: error.message };
        ctx.log.error("code of a model could not be run", { error });
        return { ok: false, message: "The code cannot be run now" };
      }
    },
  };
}

interface Kept {
  /** As files of a message. */
  shown: Record<string, unknown>[];
  names: string[];
  notes: string[];
}

/** Stores what the code wrote with the chat. Where the chat is not stored, nothing is. */
async function keepFiles(
  ctx: Context,
  files: readonly WrittenFile[],
  { chatId, capabilities }: ToolScope,
): Promise<Kept> {
  const kept: Kept = { shown: [], names: [], notes: [] };
  for (const { name, content_type: type, size, base64 } of files) {
    if (!isStored(chatId)) {
      kept.notes.push(`${name} was not kept, because this chat is not stored`);
      continue;
    }
    try {
      const stored = (await capabilities.request("file.create", { name, content_type: type, base64 })) as {
        id: string;
        url: string;
      };
      const isImage = /^image\/(?:png|jpeg|gif|webp)$/.test(type);
      const kind = isImage ? "image" : "file";
      kept.shown.push({ type: kind, id: stored.id, url: stored.url, name, content_type: type, size });
      kept.names.push(name);
    } catch (error) {
      if (!(error instanceof AppError)) ctx.log.warn("could not keep a file that code wrote", { error });
      kept.notes.push(`${name} could not be stored${error instanceof AppError ? `: ${error.message}` : ""}`);
    }
  }
  return kept;
}

function told(run: CodeRun, { names, notes }: Kept): Record<string, unknown> {
  const { stdout, stderr, result, error, left_out: leftOut } = run;
  const more = [...notes, ...leftOut.map((name) => `${name} was too large, or one too many`)];
  return {
    stdout: shorten(stdout),
    ...(stderr ? { stderr: shorten(stderr) } : {}),
    ...(result ? { result: shorten(result) } : {}),
    ...(error ? { error: error.traceback || `${error.name}: ${error.message}`, line: error.line } : {}),
    ...(names.length > 0 ? { files: names } : {}),
    ...(more.length > 0 ? { notes: more } : {}),
  };
}

function shorten(text: string): string {
  if (text.length <= maxTold) return text;
  const half = maxTold / 2;
  return `${text.slice(0, half)}\n[…]\n${text.slice(-half)}`.toWellFormed();
}

/** Ids of the files of the turn, as far as they are files of this service. */
function fileIds(files: unknown): string[] {
  if (!Array.isArray(files)) return [];
  return files
    .flatMap((file: unknown) =>
      isRecord(file) && file["type"] !== "collection" && typeof file["id"] === "string" ? [file["id"]] : [],
    )
    .slice(0, 20);
}
