import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { BuiltWorker } from "../runtime-plan.ts";
import { workerdBinary } from "./workerd-binary.ts";

/** Of the dates that Workers here are written for; the runtime warns where it is said. */
const byDefault = "nodejs_compat";

const moduleKinds = { ESModule: "esModule", CompiledWasm: "wasm", Text: "text", Data: "data" } as const;

/**
 * Compiles a Cap'n Proto configuration of workerd. Miniflare, which would write one too, takes a second and 100 MB,
 * and adds Workers of its own.
 * @param file where the text is written for the compiler
 */
export function compileConfig(file: string, text: string): Promise<Buffer> {
  writeFileSync(file, text, { mode: 0o600 });
  return new Promise((resolve, reject) => {
    execFile(
      workerdBinary,
      ["compile", "--config-only", "--import-path=/", file, "config"],
      { encoding: "buffer", maxBuffer: 2 ** 28 },
      (error, stdout, stderr) => (error ? reject(new Error(stderr.toString() || error.message)) : resolve(stdout)),
    );
  });
}

/**
 * The configuration of a process with one Worker: code, no bindings, no network. Name of its socket: `http`.
 * @param scratch folder for its text
 */
export function compileLoneWorker(
  name: string,
  worker: BuiltWorker,
  scratch: string,
  v8Flags: readonly string[],
): Promise<Buffer> {
  const text = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = ${quote(name)}, worker = (
      ${workerFields(worker)},
      globalOutbound = "nowhere")),
    (name = "nowhere", network = (allow = [])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = ${quote(name)})],
  v8Flags = ${list(v8Flags.map(quote))},
  structuredLogging = true,
);
`;
  return compileConfig(path.join(scratch, `${name}.capnp`), text);
}

/** The modules of a Worker and the dates it is written for, as fields of its configuration. */
export function workerFields({ modules, options }: BuiltWorker): string {
  const { compatibilityDate, compatibilityFlags = [] } = options;
  const files = modules.map(
    (module) =>
      `(name = ${quote(path.basename(module.path))}, ${moduleKinds[module.type]} = embed ${quote(path.resolve(module.path))})`,
  );
  return `modules = ${list(files)},
      compatibilityDate = ${quote(compatibilityDate)},
      compatibilityFlags = ${list((compatibilityFlags as string[]).filter((flag) => flag !== byDefault).map(quote))}`;
}

/** As Cap'n Proto writes texts: as JSON, but for the escapes of control characters. */
export function quote(value: string): string {
  return JSON.stringify(value).replaceAll(/\\(?:u00(..)|.)/g, (escape, code?: string) =>
    code === undefined ? escape : `\\x${code}`,
  );
}

export function list(items: readonly string[]): string {
  return `[${items.join(", ")}]`;
}
