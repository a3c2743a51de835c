import { builtInLibraries } from "./built-in-libraries.js";

/** What this needs of Emscripten's module (src/lib/libdylink.js), which settings become. */
export interface CoreModule {
  HEAP8: Int8Array;
  LDSO: { loadedLibsByName: Record<string, { exports: Record<string, (...args: number[]) => unknown> }> };
  wasmTable: WebAssembly.Table;
  newDSO(
    name: string,
    handle: number,
    exports: object | string,
  ): { exports: unknown; refcount: number; global: boolean };
  loadWebAssemblyModule(module: WebAssembly.Module, flags: object, name: string, scope: object, handle: number): object;
  /** Where the next library lies in memory: see withPlaces in scripts/launch/build-python-assets.ts. */
  libraryBase?: number | undefined;
}

/**
 * Loads the libraries of a snapshot before its memory is copied: they have to lie where they lay when it was made, in memory and in the
 * table of functions. What loading them writes to memory is overwritten by the snapshot.
 * @param length of the snapshot's memory, in bytes
 */
export function restoreLibraries(core: CoreModule, length: number): void {
  if (core.HEAP8.length < length) core.LDSO.loadedLibsByName["__main__"]!.exports["emscripten_resize_heap"]!(length);
  for (const { name, handle, memoryBase, tableBase, tableEnd, module } of builtInLibraries) {
    const { wasmTable } = core;
    if (wasmTable.length < tableBase) wasmTable.grow(tableBase - wasmTable.length);
    const record = core.newDSO(name, handle, "loading");
    record.refcount = 1;
    record.global = false;
    core.libraryBase = memoryBase;
    record.exports = core.loadWebAssemblyModule(module, { global: false, loadAsync: false }, name, {}, handle);
    core.libraryBase = undefined;
    if (wasmTable.length !== tableEnd) throw new Error(`${name} does not fit the snapshot of Python's memory`);
  }
}
