import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { deflateSync } from "node:zlib";
import type { BuiltInPackages } from "./read-built-in-wheels.ts";

interface Pyodide {
  FS: { mkdirTree(path: string): void; writeFile(path: string, content: string | Uint8Array): void };
  _module: {
    HEAPU32: Uint32Array;
    LDSO: { loadedLibsByHandle: Record<string, { name: string }> };
    wasmTable: WebAssembly.Table;
  };
  pyimport(name: string): {
    install(...given: unknown[]): void;
    prepare(): void;
    pack(name: string, source: string): string;
    destroy(): void;
  };
  runPython(code: string): unknown;
  toPy(value: unknown): { destroy(): void };
  makeMemorySnapshot(): Uint8Array;
}

/** Where a compiled library lies in a snapshot: one that is loaded later has to lie in the same place. */
export interface LibraryPlace {
  name: string;
  /** Address of the record that the C library keeps of it. */
  handle: number;
  memoryBase: number;
  tableBase: number;
  /** Length of the function table once it is loaded. */
  tableEnd: number;
}

export interface PythonSnapshot {
  memory: Uint8Array;
  libraries: { place: LibraryPlace; bytes: Uint8Array }[];
}

/**
 * A picture of the memory of an interpreter that has imported the standard library, our modules and the built-in packages.
 * @param source workers/plugin-host/python
 */
export async function makePythonSnapshot(source: string, builtIn: BuiltInPackages): Promise<PythonSnapshot> {
  const pyodide = await startInterpreter(source);
  const put = (file: string, content: Uint8Array) => {
    pyodide.FS.mkdirTree(path.posix.dirname(file));
    pyodide.FS.writeFile(file, content);
    return file;
  };
  // Ours come last: some stand in the place of single modules of a real package.
  const sources = { ...builtIn.sources, ...readPython(path.join(source, "stand-ins")) };
  const codes = Object.entries(await compileModules(source, sources)).map(
    ([name, { code, isPackage }]) => [name, [put(`/codes/${name}`, code), isPackage]] as const,
  );
  const libraryFiles = mapValues(builtIn.libraries, (name, bytes) => put(`/libraries/${name}.so`, bytes));
  const dataFiles = mapValues(builtIn.data, (name, bytes) => put(`/data/${name}`, deflateSync(bytes)));
  const runtime = pyodide.pyimport("plugin_harness.runtime");
  const given = [Object.fromEntries(codes), libraryFiles, dataFiles, builtIn.versions].map((value) =>
    pyodide.toPy(value),
  );
  runtime.install(...given);
  for (const each of given) each.destroy();
  const libraries = Object.entries(builtIn.libraries).map(([module, bytes]) => ({
    place: loadLibrary(pyodide, module, libraryFiles[module] ?? ""),
    bytes,
  }));
  runtime.prepare();
  runtime.destroy();
  pyodide.runPython(
    "import sys; sys.path.remove('/harness'); sys.path_importer_cache.clear(); import gc; gc.collect()",
  );
  return { memory: pyodide.makeMemorySnapshot(), libraries };
}

function mapValues<T, U>(values: Record<string, T>, map: (name: string, value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(name, value)]));
}

/** By the names of the modules. */
async function compileModules(
  source: string,
  files: Record<string, string>,
): Promise<Record<string, { code: Uint8Array; isPackage: boolean }>> {
  const compiler = (await startInterpreter(source)).pyimport("plugin_harness.pack");
  return Object.fromEntries(
    Object.entries(files).map(([file, text]) => {
      const name = file.replace(/\.py$/, "").replaceAll("/", ".");
      const isPackage = file.endsWith("__init__.py");
      return [
        isPackage ? name.replace(/\.__init__$/, "") : name,
        { code: Buffer.from(compiler.pack(name, text), "base64"), isPackage },
      ];
    }),
  );
}

/** Libraries are loaded one after the other, before anything else puts functions into the table. */
function loadLibrary(pyodide: Pyodide, module: string, file: string): LibraryPlace {
  pyodide.runPython(`import ${module}`);
  const { HEAPU32, LDSO, wasmTable } = pyodide._module;
  const handle = Number(Object.entries(LDSO.loadedLibsByHandle).find(([, { name }]) => name === file)?.[0]);
  // `struct dso` of Emscripten (system/lib/libc/dynlink.c): flags, whether it is loaded, and then these.
  const field = (offset: number) => HEAPU32[(handle + offset) / 4] ?? 0;
  return { name: file, handle, memoryBase: field(12), tableBase: field(20), tableEnd: wasmTable.length };
}

/** Where plugins find their interpreter: `sys.executable` and the variable `_`. */
const executable = "/bin/python";

/** One that can import the harness. Emscripten takes the arguments of this process for those of the interpreter: plugins would see paths of the machine. */
async function startInterpreter(source: string): Promise<Pyodide> {
  const { loadPyodide } = await import("pyodide");
  const { argv } = process;
  process.argv = [process.execPath, executable];
  try {
    const options = { _makeSnapshot: true, env: { HOME: "/home/plugin" } };
    const pyodide = (await loadPyodide(options as Parameters<typeof loadPyodide>[0])) as unknown as Pyodide;
    pyodide.FS.mkdirTree("/harness/plugin_harness");
    for (const [name, text] of Object.entries(readPython(path.join(source, "harness"))))
      pyodide.FS.writeFile(`/harness/plugin_harness/${name}`, text);
    pyodide.runPython("import sys; sys.path.insert(0, '/harness'); sys.dont_write_bytecode = True");
    return pyodide;
  } finally {
    process.argv = argv;
  }
}

function readPython(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".py"));
  return Object.fromEntries(
    files.map((name) => [name.split(path.sep).join("/"), readFileSync(path.join(root, name), "utf8")]),
  );
}
