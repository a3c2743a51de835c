import * as z from "zod";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { selectPackages, toPluginPackages } from "../../plugins/packages/find-packages.ts";
import type { PluginFailure } from "../../plugins/plugin-host.ts";
import { runnerSource } from "./runner-source.ts";
import { codeError, type CodeOutput, type CodeRun, type WrittenFile } from "./schema.ts";

/** A file for the code to read. */
export interface InputFile {
  name: string;
  base64: string;
}

export interface PythonCode {
  code: string;
  files: readonly InputFile[];
  signal: AbortSignal;
  /** Called for each piece of output, in order; what it says is in the result too. */
  onOutput?: ((output: CodeOutput) => void) | undefined;
}

/** Most that is kept of what is printed, in characters. The isolate keeps to it too, but what it says is the code's own word. */
const maxOutput = 500_000;
const maxResult = 60_000;
const maxFiles = 20;

const printed = z.object({
  type: z.literal("output"),
  data: z.object({ stream: z.enum(["stdout", "stderr"]), text: z.string() }),
});
const returned = z.object({
  result: z.string(),
  error: codeError.nullable(),
  files: z.array(z.object({ name: z.string(), content_type: z.string(), base64: z.base64() })),
  left_out: z.array(z.string()),
});

/**
 * Runs Python in an isolate of its own, which nothing else ever uses, in the process of the person's runs: no network, none
 * of the service's capabilities, and the watchdog of plugins. The caller has checked the permission.
 * @throws AppError `plugin_unavailable` where the host cannot be reached; what the code does wrong is in the result
 */
export async function runPython(ctx: Context, user: User, python: PythonCode): Promise<CodeRun> {
  const { code, files, signal, onOutput } = python;
  const session = ctx.plugins.open({
    plugin: `code/${user.id}`,
    fingerprint: crypto.randomUUID(),
    language: "python",
    hosts: [],
    load: async () => ({ code: runnerSource(code), valves: {}, packages: await packagesOf(ctx, user) }),
  });
  const started = performance.now();
  const texts = { stdout: "", stderr: "" };
  let room = maxOutput;
  const refuse = (): never => {
    throw new AppError("forbidden", "Code that is run has no access to Parley");
  };
  try {
    const outcome = await session.call({
      method: "run",
      args: { code, files },
      reserved: {},
      capabilities: {
        async emit(event) {
          const output = printed.safeParse(event);
          if (!output.success) throw new AppError("invalid_event", "Only output can be told");
          const { stream, text } = output.data.data;
          const kept = text.slice(0, room);
          room -= kept.length;
          if (kept === "") return;
          texts[stream] += kept;
          onOutput?.({ type: "output", stream, text: kept });
        },
        call: async () => refuse(),
        request: async () => refuse(),
      },
      signal,
      timeoutMs: ctx.settings.CODE_EXECUTION_TIMEOUT * 1000,
    });
    const duration = Math.round(performance.now() - started);
    if (!outcome.ok) {
      if (outcome.error.code === "unavailable") throw new AppError("plugin_unavailable", outcome.error.message);
      return { ...texts, result: "", error: errorOf(outcome.error), files: [], left_out: [], duration_ms: duration };
    }
    const said = returned.safeParse(outcome.value);
    if (!said.success) {
      const error = { name: "SystemError", message: "The code's result could not be read", line: null, traceback: "" };
      return { ...texts, result: "", error, files: [], left_out: [], duration_ms: duration };
    }
    const { result, error, files: written, left_out: leftOut } = said.data;
    return {
      ...texts,
      result: result.slice(0, maxResult),
      error,
      files: written.slice(0, maxFiles).map(sized),
      left_out: leftOut.slice(0, 100).map((name) => name.slice(0, 255)),
      duration_ms: duration,
    };
  } finally {
    session.close();
  }
}

async function packagesOf(ctx: Context, user: User) {
  const rows = await selectPackages(ctx.db, { organizationId: user.organizationId, byAdminOnly: false });
  return toPluginPackages(ctx, rows);
}

function sized({ name, content_type: type, base64 }: Omit<WrittenFile, "size">): WrittenFile {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return {
    name: name.slice(0, 255),
    content_type: type.slice(0, 255),
    size: (base64.length / 4) * 3 - padding,
    base64,
  };
}

/** The names of Python's own errors stay; those of its surroundings get plain ones. */
function errorOf({ code, message, name, line }: PluginFailure): CodeRun["error"] {
  return { name: code === "threw" ? (name ?? "Error") : code, message, line: line ?? null, traceback: "" };
}
