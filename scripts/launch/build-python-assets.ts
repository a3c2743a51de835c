import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { transform } from "sucrase";

const projectRoot = path.resolve(import.meta.dirname, "../..");
const source = path.join(projectRoot, "workers/plugin-host/python");

interface Pyodide {
  FS: { mkdirTree(path: string): void; writeFile(path: string, text: string): void };
  pyimport(name: string): { prepare(sources: unknown): void; destroy(): void };
  runPython(code: string): unknown;
  toPy(value: unknown): { destroy(): void };
  makeMemorySnapshot(): Uint8Array;
}

/**
 * Makes all that isolates of Python plugins have in common, as files that the plugin host reads
 * (workers/plugin-host/python/worker-code.ts): the interpreter, our modules, and a picture of its memory in which the standard library
 * and everything that stands in for packages is imported already.
 */
export async function buildPythonAssets(out: string): Promise<void> {
  mkdirSync(out, { recursive: true });
  const pyodide = path.dirname(createRequire(import.meta.url).resolve("pyodide/package.json"));
  const copied = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"];
  for (const name of copied) copyFileSync(path.join(pyodide, name), path.join(out, name));

  const isolate = path.join(source, "isolate");
  const modules = readdirSync(isolate).filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"));
  for (const name of modules) {
    const text = readFileSync(path.join(isolate, name), "utf8");
    const { code } = transform(text, { transforms: ["typescript"], disableESTransforms: true });
    writeFileSync(path.join(out, name), code);
  }

  writeWrappers(out, findWrappers(pyodide));
  writeFileSync(path.join(out, "snapshot.bin"), packSnapshot(await makeSnapshot()));
  const index = {
    main: "main.ts",
    js: ["pyodide.mjs", "pyodide.asm.mjs", "wrappers.js", ...modules],
    wasm: ["pyodide.asm.wasm"],
  };
  writeFileSync(path.join(out, "index.json"), JSON.stringify(index));
}

/**
 * The small WebAssembly modules that pyodide compiles while it runs, which a Worker may not: an empty one as a probe, the trampoline of its
 * calls, how it tells errors, and for each signature that a function of JavaScript's can have the one that puts it into the table.
 */
function findWrappers(pyodide: string): Buffer[] {
  const core = readFileSync(path.join(pyodide, "pyodide.asm.mjs"), "utf8");
  const loader = readFileSync(path.join(pyodide, "pyodide.mjs"), "utf8");
  const trampoline = /hexStringToUTF8Array\("(0061736d[0-9a-f]+)"/.exec(core)?.[1];
  const errors = /"(AGFzbQ[\w+/=]+)"/.exec(loader)?.[1];
  const signatures = [...core.matchAll(/\.sig\s*=\s*"([a-z]+)"/g)].map(([, signature]) => signature ?? "");
  if (trampoline === undefined || errors === undefined || signatures.length < 100) {
    throw new Error("pyodide's build has changed: check workers/plugin-host/python/isolate/prelude.ts");
  }
  const found = [
    Buffer.from("0061736d01000000", "hex"),
    Buffer.from(trampoline, "hex"),
    Buffer.from(errors, "base64"),
    ...signatures.map(wrapperFor),
  ];
  return [...new Map(found.map((bytes) => [bytes.toString("hex"), bytes])).values()];
}

const typeCodes: Readonly<Record<string, number>> = { i: 0x7f, p: 0x7f, j: 0x7e, f: 0x7d, d: 0x7c, e: 0x6f };

/** As `convertJsFunctionToWasm` of Emscripten writes it, byte for byte. */
function wrapperFor(signature: string): Buffer {
  const withLength = (bytes: number[]) => [(bytes.length % 128) | 128, bytes.length >> 7, ...bytes];
  const pack = (types: string) => withLength([...types].map((type) => typeCodes[type] ?? 0));
  const [result = "v"] = signature;
  const type = withLength([1, 0x60, ...pack(signature.slice(1)), ...pack(result === "v" ? "" : result)]);
  const importAndExport = [2, 7, 1, 1, 101, 1, 102, 0, 0, 7, 5, 1, 1, 102, 0, 0];
  return Buffer.from([0, 97, 115, 109, 1, 0, 0, 0, 1, ...type, ...importAndExport]);
}

function writeWrappers(out: string, wrappers: readonly Buffer[]): void {
  const imports = wrappers.map((_, index) => `import w${index} from "./wrappers/${index}.wasm";`);
  const entries = wrappers.map((bytes, index) => `["${bytes.toString("hex")}", w${index}]`);
  writeFileSync(
    path.join(out, "wrappers.js"),
    `${imports.join("\n")}\nexport const wrappers = new Map([${entries.join(",\n")}]);\n`,
  );
  const parts = wrappers.flatMap((bytes) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return [length, bytes];
  });
  writeFileSync(path.join(out, "wrappers.bin"), Buffer.concat(parts));
}

async function makeSnapshot(): Promise<Uint8Array> {
  const pyodide = await startInterpreter();
  pyodide.FS.mkdirTree("/harness/plugin_harness");
  for (const [name, text] of Object.entries(readPython("harness"))) {
    pyodide.FS.writeFile(`/harness/plugin_harness/${name}`, text);
  }
  const standIns: Record<string, [string, boolean]> = {};
  for (const [file, text] of Object.entries(readPython("stand-ins"))) {
    const name = file.replace(/\.py$/, "").replaceAll("/", ".");
    const isPackage = file.endsWith("__init__.py");
    standIns[isPackage ? name.replace(/\.__init__$/, "") : name] = [text, isPackage];
  }
  pyodide.runPython("import sys; sys.path.insert(0, '/harness'); sys.dont_write_bytecode = True");
  const runtime = pyodide.pyimport("plugin_harness.runtime");
  const sources = pyodide.toPy(standIns);
  runtime.prepare(sources);
  sources.destroy();
  runtime.destroy();
  pyodide.runPython(
    "import sys; sys.path.remove('/harness'); sys.path_importer_cache.clear(); import gc; gc.collect()",
  );
  return pyodide.makeMemorySnapshot();
}

/** Where plugins find their interpreter: `sys.executable` and the variable `_`. */
const executable = "/bin/python";

/** Emscripten takes the arguments of this process for those of the interpreter: plugins would see paths of the machine. */
async function startInterpreter(): Promise<Pyodide> {
  const { loadPyodide } = await import("pyodide");
  const { argv } = process;
  process.argv = [process.execPath, executable];
  try {
    const options = { _makeSnapshot: true, env: { HOME: "/home/plugin" } };
    return (await loadPyodide(options as Parameters<typeof loadPyodide>[0])) as unknown as Pyodide;
  } finally {
    process.argv = argv;
  }
}

function readPython(folder: string): Record<string, string> {
  const root = path.join(source, folder);
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".py"));
  return Object.fromEntries(
    files.map((name) => [name.split(path.sep).join("/"), readFileSync(path.join(root, name), "utf8")]),
  );
}

const page = 4096;

/** The other side is workers/plugin-host/python/isolate/snapshot-view.ts. */
function packSnapshot(whole: Uint8Array): Buffer {
  const bytes = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength);
  const zeros = Buffer.alloc(page);
  const numbers: number[] = [];
  for (let index = 0; index * page < bytes.length; index++) {
    const part = bytes.subarray(index * page, (index + 1) * page);
    if (!part.equals(zeros.subarray(0, part.length))) numbers.push(index);
  }
  const head = Buffer.alloc(8 + 4 * numbers.length);
  head.writeUInt32LE(bytes.length, 0);
  head.writeUInt32LE(numbers.length, 4);
  numbers.forEach((number, index) => head.writeUInt32LE(number, 8 + 4 * index));
  const pages = numbers.map((number) => bytes.subarray(number * page, (number + 1) * page));
  return Buffer.concat([head, ...pages]);
}
