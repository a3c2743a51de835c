/** The parts of a wheel that an isolate needs. */
export interface Wheel {
  files: Map<string, Uint8Array>;
  /** Names by which it is imported. */
  modules: string[];
}

/** Of a wheel's own description, this is what Python reads. */
const keptInfo = /\.dist-info\/(?:METADATA|entry_points\.txt)$/;
const leftOut =
  /(?:^|\/)(?:tests?|__pycache__)\/|\.(?:pyc|pyi|pyx|c|h|rs)$|\.dist-info\/|\.data\/(?:scripts|headers|data)\/|\/$/;

/** Google's client has a description of each of its services in a file of its own, 120 MB in all. */
const service = /(?:^|\/)discovery_cache\/documents\/([^/.]+)\.[^/]*\.json$/;

/**
 * @param source of the plugin: of what only some plugins read, what it does not name is left out
 * @throws Error for a file that is not a valid wheel
 */
export async function readWheel(bytes: Uint8Array, source: string): Promise<Wheel> {
  const isNamed = (word: string) => source.includes(`"${word}"`) || source.includes(`'${word}'`);
  const entries = listEntries(bytes).filter(({ name }) => {
    const described = service.exec(name)?.[1];
    if (described !== undefined) return isNamed(described);
    return keptInfo.test(name) || !leftOut.test(name);
  });
  const contents = await Promise.all(entries.map((entry) => inflate(bytes, entry)));
  const files = new Map<string, Uint8Array>();
  entries.forEach(({ name }, index) => {
    const content = contents[index] ?? new Uint8Array();
    // `.data/purelib` and `.data/platlib` are put where the rest is.
    const path = name.replace(/^[^/]+\.data\/(?:pure|plat)lib\//, "");
    if (path.split("/").includes("..") || path.startsWith("/")) throw new Error(`it has a file named ${name}`);
    files.set(path, content);
  });
  return { files, modules: readModules(files.keys()) };
}

interface Entry {
  name: string;
  method: number;
  start: number;
  length: number;
  size: number;
}

/** Most that one wheel may hold unpacked, in bytes. */
const maxBytes = 200_000_000;

/**
 * The directory of a zip archive (PKWARE APPNOTE, 4.3). The platform's own decompression, which is several times as fast as one in
 * JavaScript that has just been loaded, knows streams only, no archives.
 */
function listEntries(bytes: Uint8Array): Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  // A comment may stand behind it.
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw new Error("it is not a zip archive");
  const entries: Entry[] = [];
  let at = view.getUint32(end + 16, true);
  let total = 0;
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (view.getUint32(at, true) !== 0x02014b50) throw new Error("its directory is damaged");
    const nameLength = view.getUint16(at + 28, true);
    const header = view.getUint32(at + 42, true);
    const start = header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
    const size = view.getUint32(at + 24, true);
    total += size;
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
      method: view.getUint16(at + 10, true),
      start,
      length: view.getUint32(at + 20, true),
      size,
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  if (total > maxBytes) throw new Error(`it has more than ${maxBytes / 1_000_000} MB`);
  return entries;
}

async function inflate(bytes: Uint8Array, { name, method, start, length, size }: Entry): Promise<Uint8Array> {
  const packed = bytes.subarray(start, start + length);
  if (method === 0) return packed;
  if (method !== 8) throw new Error(`${name} uses an unsupported compression`);
  const { readable, writable } = new DecompressionStream("deflate-raw");
  const writer = writable.getWriter();
  const written = writer.write(packed as Uint8Array<ArrayBuffer>).then(() => writer.close());
  // What is wrong is told by the side that reads.
  written.catch(() => undefined);
  const content = new Uint8Array(size);
  let filled = 0;
  for (const reader = readable.getReader(); ;) {
    const { value } = await reader.read();
    if (!value) break;
    if (filled + value.length > size) throw new Error(`${name} is longer than declared`);
    content.set(value, filled);
    filled += value.length;
  }
  if (filled !== size) throw new Error(`${name} is shorter than declared`);
  return content;
}

function readModules(paths: Iterable<string>): string[] {
  const names = new Set<string>();
  for (const path of paths) {
    const [first = ""] = path.split("/");
    if (first.endsWith(".dist-info")) continue;
    const module = path.includes("/") ? first : (/^(\w+)(?:\.py|\.[\w.-]*so)$/.exec(first)?.[1] ?? "");
    if (/^\w+$/.test(module)) names.add(module);
  }
  return [...names];
}
