import { env } from "cloudflare:workers";
import type { IsolateSetup } from "../isolate-setup.ts";
import packages from "./packages.bin";
import createPyodideModule from "./pyodide.asm.mjs";
import mainModule from "./pyodide.asm.wasm";
import { loadPyodide } from "./pyodide.mjs";
import { type CoreModule, restoreLibraries } from "./restore-libraries.ts";
import given from "./setup.json";
import { makeSnapshotView } from "./snapshot-view.ts";

/** A Python function that may suspend: its stack is saved meanwhile. */
export interface PromisingFunction {
  (...args: unknown[]): unknown;
  callPromising(...args: unknown[]): Promise<unknown>;
}

/** The functions of harness/runtime.py. */
export interface Runtime {
  start(port: object, work: string | undefined): { destroy(): void };
  cancel(call: object): void;
  abandon(call: object): void;
  drain: PromisingFunction;
  /** Resolves with the reason when Python has crashed. */
  crashed: Promise<Error>;
  hasCrashed(): boolean;
  /** In bytes. */
  memory(): number;
  /** Ends all calls after a crash. */
  giveUp(error: Error): void;
}

interface Internals {
  _api: {
    scheduleCallback(run: () => void, delay?: number): void;
    on_fatal?: (error: Error) => void;
  };
}

const setup = given as IsolateSetup;
let runtime: Promise<Runtime> | undefined;
let boots = 0;

/** The interpreter of this isolate. After a crash the next call gets a new one. */
export function getRuntime(): Promise<Runtime> {
  runtime ??= boot().catch((error: unknown) => {
    runtime = undefined;
    throw error;
  });
  return runtime;
}

/** One of the large files that all interpreters have in common. @throws Error where it is not there */
async function readFile(name: string): Promise<Response> {
  const { FILES } = env as unknown as { FILES: { fetch(address: string): Promise<Response> } };
  const response = await FILES.fetch(`http://files/${name}`);
  if (!response.ok) throw new Error(`The Python runtime lacks ${name} (${response.status})`);
  return response;
}

async function boot(): Promise<Runtime> {
  const mine = ++boots;
  let memory: WebAssembly.Memory | undefined;
  (WebAssembly as unknown as Record<string, unknown>)["instantiateStreaming"] = async (
    _source: unknown,
    imports: WebAssembly.Imports,
  ) => {
    const instance = await WebAssembly.instantiate(mainModule, imports);
    memory = instance.exports["memory"] as WebAssembly.Memory;
    return { instance, module: mainModule };
  };
  const globals = globalThis as { fetch?: unknown };
  // Pyodide asks for its own files only, and only now.
  globals.fetch = async (address: unknown) =>
    String(address).endsWith(".zip") ? readFile("python_stdlib.zip") : new Response(null, { status: 404 });
  const snapshot = makeSnapshotView((await readFile("snapshot.gz")).body!);
  const options = {
    indexURL: "http://isolate/",
    createPyodideModule: async (settings: CoreModule) => {
      const made = await createPyodideModule(settings);
      await snapshot.copy(
        () => memory!,
        (length) => restoreLibraries(settings, length),
      );
      return made;
    },
    lockFileContents: {
      info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2" },
      packages: {},
    },
    stdLibURL: "http://isolate/python_stdlib.zip",
    // What Python finds of JavaScript: nothing.
    jsglobals: {},
    stdout: () => undefined,
    stderr: () => undefined,
    enableRunUntilComplete: true,
    _loadSnapshot: snapshot.bytes,
  };
  const pyodide = await loadPyodide(options as unknown as Parameters<typeof loadPyodide>[0]);
  globals.fetch = undefined;
  const { _api: api } = pyodide as unknown as Internals;
  api.scheduleCallback = (run, delay = 0) => (delay > 0 ? setTimeout(run, delay) : queueMicrotask(run));
  const { promise: crashed, resolve } = Promise.withResolvers<Error>();
  let isDead = false;
  const giveUp = (error: Error) => {
    isDead = true;
    if (boots === mine) runtime = undefined;
    resolve(error);
  };
  api.on_fatal = giveUp;
  for (const [path, start, length] of setup.files) {
    const file = `/packages/${path}`;
    pyodide.FS.mkdirTree(file.slice(0, file.lastIndexOf("/")));
    pyodide.FS.writeFile(file, new Uint8Array(packages, start, length), { canOwn: true });
  }
  const module = pyodide.pyimport("plugin_harness.runtime") as Omit<Runtime, "crashed" | "hasCrashed"> & {
    wake: PromisingFunction;
  };
  module.wake(setup.code, setup.valves, pyodide.toPy(setup.modules));
  return {
    start: module.start,
    cancel: module.cancel,
    abandon: module.abandon,
    drain: module.drain,
    crashed,
    hasCrashed: () => isDead,
    memory: () => memory?.buffer.byteLength ?? 0,
    giveUp,
  };
}
