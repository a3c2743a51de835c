import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { transform } from "sucrase";
import { type PythonSnapshot, makePythonSnapshot } from "./make-python-snapshot.ts";
import { readBuiltInWheels } from "./read-built-in-wheels.ts";

const projectRoot = path.resolve(import.meta.dirname, "../..");
const source = path.join(projectRoot, "workers/plugin-host/python");

/**
 * Makes all that isolates of Python plugins have in common, as files that the plugin host reads
 * (workers/plugin-host/python/worker-code.ts): the interpreter, our modules, and a picture of its memory in which the standard library
 * and what plugins use most of the built-in packages is imported already.
 */
export async function buildPythonAssets(out: string): Promise<void> {
  mkdirSync(out, { recursive: true });
  const pyodide = path.dirname(createRequire(import.meta.url).resolve("pyodide/package.json"));
  const copied = ["pyodide.mjs", "pyodide.asm.wasm", "python_stdlib.zip"];
  for (const name of copied) copyFileSync(path.join(pyodide, name), path.join(out, name));

  writeFileSync(
    path.join(out, "pyodide.asm.mjs"),
    withPlaces(readFileSync(path.join(pyodide, "pyodide.asm.mjs"), "utf8")),
  );

  const isolate = path.join(source, "isolate");
  const modules = readdirSync(isolate).filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"));
  for (const name of modules) {
    const text = readFileSync(path.join(isolate, name), "utf8");
    const { code } = transform(text, { transforms: ["typescript"], disableESTransforms: true });
    writeFileSync(path.join(out, name), code);
  }

  writeWrappers(out, findWrappers(pyodide));
  const snapshot = await makePythonSnapshot(source, readBuiltInWheels(path.join(source, "wheels")));
  writeSnapshot(out, snapshot.memory);
  const libraries = writeLibraries(out, snapshot);
  const index = {
    main: "main.ts",
    js: ["pyodide.mjs", "pyodide.asm.mjs", "wrappers.js", "built-in-libraries.js", ...modules],
    wasm: ["pyodide.asm.wasm", ...libraries],
    json: ["snapshot.json"],
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

/** Lets a library that is loaded again lie where it lay in the snapshot: see isolate/restore-libraries.ts. */
function withPlaces(core: string): string {
  const place = "metadata.memorySize?alignMemory(getMemory(metadata.memorySize+memAlign),memAlign):0";
  if (core.split(place).length !== 2)
    throw new Error("pyodide's build has changed: check workers/plugin-host/python/isolate/restore-libraries.ts");
  return core.replace(place, `Module.libraryBase??(${place})`);
}

/** @returns the names of their files */
function writeLibraries(out: string, { libraries }: PythonSnapshot): string[] {
  const names = libraries.map((_, index) => `built-in-${index}.wasm`);
  libraries.forEach(({ bytes }, index) => writeFileSync(path.join(out, names[index]!), bytes));
  const imports = names.map((name, index) => `import l${index} from "./${name}";`);
  const entries = libraries.map(({ place }, index) => `{ ...${JSON.stringify(place)}, module: l${index} }`);
  writeFileSync(
    path.join(out, "built-in-libraries.js"),
    `${imports.join("\n")}\nexport const builtInLibraries = [${entries.join(",\n")}];\n`,
  );
  return names;
}

const page = 4096;

/**
 * The other side is workers/plugin-host/python/isolate/snapshot-view.ts. Packed, because a file on the edge may have 25 MiB.
 */
function writeSnapshot(out: string, whole: Uint8Array): void {
  const bytes = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength);
  const zeros = Buffer.alloc(page);
  const numbers: number[] = [];
  for (let index = 0; index * page < bytes.length; index++) {
    const part = bytes.subarray(index * page, (index + 1) * page);
    if (!part.equals(zeros.subarray(0, part.length))) numbers.push(index);
  }
  const pages = numbers.map((number) => bytes.subarray(number * page, (number + 1) * page));
  writeFileSync(path.join(out, "snapshot.gz"), gzipSync(Buffer.concat(pages), { level: 9 }));
  writeFileSync(path.join(out, "snapshot.json"), JSON.stringify({ length: bytes.length, numbers }));
}
