import type { PluginPackage } from "../../../src/plugins/plugin-host.ts";
import type { IsolateSetup } from "./isolate-setup.ts";
import type { Wheel } from "./read-wheel.ts";
import { selectPackages } from "./select-packages.ts";

/** The parts of an isolate that differ between plugins. */
export interface PythonParts {
  code: string;
  valves: Record<string, unknown>;
  /** Those of the plugin's organization; only what the source needs is asked for its bytes. */
  packages: readonly PluginPackage[];
}

type Modules = WorkerLoaderWorkerCode["modules"];

/** `index.json` of the assets: names of the modules that every isolate has, by how the loader takes them. */
interface AssetIndex {
  main: string;
  js: string[];
  wasm: string[];
  json: string[];
}

let shared: Promise<{ main: string; modules: Modules }> | undefined;

/**
 * The Worker code of a Python isolate for the loader.
 * @param assets serves the folder created by ensurePythonAssets (scripts/launch/python-assets.ts)
 * @param largeFiles serves the large ones to the isolate itself
 * @throws Error if the assets or the bytes of a package are not available
 */
export async function pythonWorkerCode(
  assets: Fetcher,
  largeFiles: Fetcher,
  { code, valves, packages }: PythonParts,
): Promise<WorkerLoaderWorkerCode> {
  shared ??= loadShared(assets).catch((error: unknown) => {
    shared = undefined;
    throw error;
  });
  const [{ main, modules }, wheels] = await Promise.all([shared, selectPackages(code, packages)]);
  const { files, bytes, libraries } = pack(wheels);
  const setup: IsolateSetup = {
    code,
    valves: JSON.stringify(valves),
    modules: [...new Set(wheels.flatMap((wheel) => wheel.modules))],
    files,
  };
  return {
    compatibilityDate: "2025-06-01",
    mainModule: main,
    env: { FILES: largeFiles },
    modules: {
      ...modules,
      "setup.json": { json: setup },
      "packages.bin": { data: bytes.buffer },
      "libraries.js": { js: librariesModule(libraries.length) },
      ...Object.fromEntries(libraries.map((library, index) => [`libraries/${index}.wasm`, { wasm: library }])),
    },
  };
}

async function loadShared(assets: Fetcher): Promise<{ main: string; modules: Modules }> {
  const fetchAsset = async (name: string) => {
    const response = await assets.fetch(`http://assets/${name}`);
    if (!response.ok) throw new Error(`The Python runtime lacks ${name} (${response.status})`);
    return response;
  };
  const index = await (await fetchAsset("index.json")).json<AssetIndex>();
  const bytesOf = async (name: string) => (await fetchAsset(name)).arrayBuffer();
  const load = async (names: readonly string[], take: (name: string) => Promise<Modules[string]>) =>
    Promise.all(names.map(async (name) => [name, await take(name)] as const));
  const [packedWasm, js, wasm, json] = await Promise.all([
    bytesOf("wrappers.bin"),
    load(index.js, async (name) => ({ js: await (await fetchAsset(name)).text() })),
    load(index.wasm, async (name) => ({ wasm: await bytesOf(name) })),
    load(index.json, async (name) => ({ json: await (await fetchAsset(name)).json() })),
  ]);
  return {
    main: index.main,
    modules: { ...Object.fromEntries([...js, ...wasm, ...json]), ...unpackWrappers(packedWasm) },
  };
}

/** The small modules of `wrappers.js` come in one file: u32 length, then the bytes, each. */
function unpackWrappers(packed: ArrayBuffer): Modules {
  const modules: Modules = {};
  const view = new DataView(packed);
  for (let at = 0, index = 0; at < packed.byteLength; index++) {
    const length = view.getUint32(at, true);
    modules[`wrappers/${index}.wasm`] = { wasm: packed.slice(at + 4, at + 4 + length) };
    at += 4 + length;
  }
  return modules;
}

/** All files behind one another. Compiled libraries become modules of their own, and small marks where their files were. */
function pack(wheels: readonly Wheel[]) {
  const libraries: ArrayBuffer[] = [];
  const files: IsolateSetup["files"] = [];
  const contents: Uint8Array[] = [];
  let length = 0;
  for (const [path, content] of wheels.flatMap((wheel) => [...wheel.files])) {
    let kept = content;
    if (isWasm(content)) {
      kept = markLibrary(content, libraries.length);
      libraries.push(content.slice().buffer);
    }
    files.push([path, length, kept.length]);
    contents.push(kept);
    length += kept.length;
  }
  const bytes = new Uint8Array(length);
  contents.forEach((content, index) => bytes.set(content, files[index]?.[1] ?? 0));
  return { files, bytes, libraries };
}

function isWasm(content: Uint8Array): boolean {
  return content.length > 8 && new DataView(content.buffer, content.byteOffset).getUint32(0) === 0x0061736d;
}

/**
 * A library's file as the linker of Emscripten reads it before it compiles it: the first section says what it needs. Behind that stands a
 * section that says which module it is; see `findPrepared` in isolate/prelude.ts.
 */
function markLibrary(content: Uint8Array, index: number): Uint8Array {
  let at = 9;
  let length = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = content[at++] ?? 0;
    length |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  const head = content.subarray(0, at + length);
  const name = new TextEncoder().encode(`parley-library:${index}`);
  const section = [0, name.length + 1, name.length, ...name];
  const marked = new Uint8Array(head.length + section.length);
  marked.set(head);
  marked.set(section, head.length);
  return marked;
}

function librariesModule(count: number): string {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const imports = numbers.map((index) => `import l${index} from "./libraries/${index}.wasm";`).join("\n");
  return `${imports}\nexport const libraries = [${numbers.map((index) => `l${index}`).join(", ")}];`;
}
