import { hasPermission, requirePermission, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { readInputFiles } from "./read-input-files.ts";
import { type InputFile, runPython } from "./run-python.ts";
import type { CodeForm, CodeOutput, CodeRun } from "./schema.ts";

/**
 * A person who may run code.
 * @throws AppError `forbidden`
 */
export function requireCodeRuns(ctx: Context): User {
  const user = requirePermission(ctx, "features.code_execution");
  if (!ctx.settings.ENABLE_CODE_EXECUTION) throw new AppError("forbidden", "Running code is switched off");
  return user;
}

export function mayModelsRunCode({ settings }: Pick<Context, "settings">, user: User): boolean {
  return settings.ENABLE_CODE_INTERPRETER && hasPermission(user, "features.code_interpreter");
}

/** Code of a person with the files that it may read. */
export interface PreparedCode {
  user: User;
  code: string;
  files: readonly InputFile[];
}

/**
 * What is refused is refused before anything runs.
 * @throws AppError `forbidden`, `not_found` for a file, `payload_too_large`
 */
export async function prepareCode(ctx: Context, { code, files = [] }: CodeForm): Promise<PreparedCode> {
  const user = requireCodeRuns(ctx);
  return { user, code, files: await readInputFiles(ctx, files) };
}

/**
 * Runs Python of a person. Nothing of it is kept.
 * @throws AppError `plugin_unavailable`
 */
export function executeCode(
  ctx: Context,
  { user, code, files }: PreparedCode,
  signal: AbortSignal,
  onOutput?: (output: CodeOutput) => void,
): Promise<CodeRun> {
  return runPython(ctx, user, { code, files, signal, onOutput });
}

/** What a run says as it goes on; the last is its end. */
export type CodeEvent = CodeOutput | { type: "end"; run: CodeRun } | { type: "failed"; code: string; message: string };

/** The same, with its output as it comes. It ends with the signal. */
export async function* streamCode(
  ctx: Context,
  prepared: PreparedCode,
  signal: AbortSignal,
): AsyncGenerator<CodeEvent, undefined> {
  const waiting: CodeEvent[] = [];
  let wake: () => void = () => undefined;
  const say = (event: CodeEvent): void => {
    waiting.push(event);
    wake();
  };
  const run = executeCode(ctx, prepared, signal, say).then(
    (done) => say({ type: "end", run: done }),
    (error: unknown) => {
      if (error instanceof AppError) return say({ type: "failed", code: error.code, message: error.message });
      ctx.log.error("a run of code failed", { error });
      return say({ type: "failed", code: "internal_error", message: "The code could not be run" });
    },
  );
  for (;;) {
    const next = waiting.shift();
    if (next) {
      yield next;
      if (next.type !== "output") break;
      continue;
    }
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (waiting.length > 0) resolve();
    });
  }
  await run;
}
