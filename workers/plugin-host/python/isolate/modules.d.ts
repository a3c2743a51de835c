/** What stands beside these modules in an isolate: files of pyodide, and what scripts/launch/build-python-assets.ts and worker-code.ts make. */

declare module "*/pyodide.mjs" {
  export { loadPyodide } from "pyodide";
}

declare module "*/pyodide.asm.mjs" {
  const createPyodideModule: (settings: unknown) => Promise<unknown>;
  export default createPyodideModule;
}

declare module "*/pyodide.asm.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

/** Bytes of a WebAssembly module, hexadecimal -> the same module, compiled beforehand. */
declare module "*/wrappers.js" {
  export const wrappers: ReadonlyMap<string, WebAssembly.Module>;
}

/** Compiled parts of uploaded packages, in the order of their numbers. */
declare module "*/libraries.js" {
  export const libraries: readonly WebAssembly.Module[];
}

declare module "*/python_stdlib.zip" {
  const bytes: ArrayBuffer;
  export default bytes;
}

declare module "*/snapshot.bin" {
  const bytes: ArrayBuffer;
  export default bytes;
}

declare module "*/packages.bin" {
  const bytes: ArrayBuffer;
  export default bytes;
}

/** An IsolateSetup. */
declare module "*/setup.json" {
  const setup: unknown;
  export default setup;
}

/** Newer than the types of the runtime. */
declare module "cloudflare:workers" {
  /** Ends this isolate with all that runs in it. */
  export function abortIsolate(reason: string): never;
}
