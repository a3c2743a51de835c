/** What stands beside these modules in an isolate: files of pyodide, and what scripts/launch/build-python-assets.ts and worker-code.ts make. */

declare module "*/pyodide.mjs" {
  export { loadPyodide } from "pyodide";
}

declare module "*/pyodide.asm.mjs" {
  const createPyodideModule: (settings: object) => Promise<unknown>;
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

/** Compiled parts of the built-in packages, and where they lie in the snapshot (LibraryPlace of scripts/launch/make-python-snapshot.ts). */
declare module "*/built-in-libraries.js" {
  export const builtInLibraries: readonly {
    name: string;
    handle: number;
    memoryBase: number;
    tableBase: number;
    tableEnd: number;
    module: WebAssembly.Module;
  }[];
}

/** Memory of an interpreter: its length in bytes, and the numbers of the pages of 4096 bytes that are not empty. */
declare module "*/snapshot.json" {
  const description: { length: number; numbers: readonly number[] };
  export default description;
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
