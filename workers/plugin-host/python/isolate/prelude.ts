import { libraries } from "./libraries.js";
import { wrappers } from "./wrappers.js";

/**
 * Imported before everything else: makes the globals what pyodide expects, and takes away what no plugin needs. Python cannot
 * reach JavaScript's globals; this is the second fence.
 */
const globals = globalThis as unknown as Record<string, unknown>;

/** What the harness goes on using when it is gone from the globals. */
export const native = { fetch: globalThis.fetch.bind(globalThis) };

globals["location"] = new URL("http://isolate/");
globals["setImmediate"] = (run: () => void) => setTimeout(run, 0);
for (const name of [
  "fetch",
  // Pyodide would pass its messages through one channel, across calls that must not touch one another.
  "MessageChannel",
  "MessagePort",
  "WebSocket",
  "WebSocketPair",
  "EventSource",
  "caches",
  "Cache",
  "CacheStorage",
  "addEventListener",
  "dispatchEvent",
]) {
  // They belong to the prototype: deleting them here would do nothing.
  Object.defineProperty(globals, name, { value: undefined, writable: true, configurable: true });
}
// What pyodide has to say of a crash is in the result; the host's own log is not for plugins to fill.
for (const name of ["debug", "log", "info", "warn", "error"]) {
  Object.defineProperty(console, name, { value: () => undefined });
}

/** In the first bytes of what stands for a compiled library: see worker-code.ts. */
const mark = "parley-library:";
const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const maxWrapperLength = Math.max(...[...wrappers.keys()].map((key) => key.length / 2));

function findPrepared(source: ArrayBuffer | ArrayBufferView): WebAssembly.Module | undefined {
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  if (bytes.length <= maxWrapperLength) {
    const found = wrappers.get(Array.from(bytes, (byte) => digits[byte]).join(""));
    if (found) return found;
  }
  const tail = new TextDecoder("latin1").decode(bytes.subarray(-40));
  const at = tail.lastIndexOf(mark);
  return at < 0 ? undefined : libraries[Number(tail.slice(at + mark.length))];
}

/** A Worker compiles nothing at run time, so modules that pyodide compiles are answered with ones that came with the isolate. */
const Native = WebAssembly.Module as unknown as {
  new (source: BufferSource): WebAssembly.Module;
  prototype: object;
} & Record<string, (...args: unknown[]) => unknown>;
function Module(source: ArrayBuffer | ArrayBufferView): WebAssembly.Module {
  return findPrepared(source) ?? new Native(source as BufferSource);
}
Module.prototype = Native.prototype;
for (const name of ["customSections", "exports", "imports"]) {
  Object.defineProperty(Module, name, { value: (...args: unknown[]) => Native[name]!(...args) });
}
Object.defineProperty(Module, Symbol.hasInstance, { value: (value: unknown) => value instanceof Native });
const assembly = WebAssembly as unknown as Record<string, unknown>;
assembly["Module"] = Module;
assembly["compile"] = async (source: ArrayBuffer) => Module(source);

/**
 * Most that Python may use, in pages of 64 KiB: 384 MiB. Beyond it Python raises a MemoryError, where otherwise the process would be
 * ended.
 */
const memoryPages = 6144;
const Memory = assembly["Memory"] as { prototype: { buffer: ArrayBuffer; grow(pages: number): number } };
const { grow } = Memory.prototype;
Memory.prototype.grow = function growMemory(pages: number): number {
  if (this.buffer.byteLength / 65_536 + pages > memoryPages) throw new RangeError("Out of memory for plugins");
  return grow.call(this, pages);
};
