import { unzipSync } from "fflate";
import { AppError } from "../../errors.ts";
import { utf8Text } from "../../lib/utf8.ts";
import { indexWheel, normalizeName, type WheelIndex } from "./wheel-index.ts";
import { readWheelName } from "./wheel-name.ts";

/** The metadata of a wheel. */
export interface Wheel {
  /** Normalized (PEP 503). */
  name: string;
  version: string;
  index: WheelIndex;
}

/** All files of a wheel unpacked, in bytes: isolates have little memory. */
const maxUnpackedBytes = 150_000_000;
const maxFiles = 20_000;
const maxMetadataBytes = 2_000_000;

/**
 * Reads a wheel (binary distribution format 1.0, PEP 427) without unpacking it.
 * @param filename its tags tell Python version and platform
 * @throws AppError `plugin_invalid` for an invalid wheel, one for another platform, and one whose name does not match
 *   its content
 */
export function readWheel(filename: string, bytes: Uint8Array): Wheel {
  const named = readWheelName(filename);
  if (!named)
    throw invalid("A wheel's file name has the form name-version-python-abi-platform.whl, as downloaded by pip");
  const { name, version } = named;
  if (!named.runsHere)
    throw invalid(
      `This wheel is for ${named.tags}. Plugins run on CPython 3.14 in WebAssembly: use a wheel for any platform (py3-none-any) or for pyemscripten_2026_0_wasm32`,
    );
  const { metadata, paths } = readContents(bytes);
  const inside = { name: field(metadata, "Name"), version: field(metadata, "Version") };
  if (normalizeName(inside.name) !== normalizeName(name) || !isSameVersion(inside.version, version))
    throw invalid(`The file is named ${name} ${version}, but it contains ${inside.name} ${inside.version}`);
  return { name: normalizeName(name), version: inside.version, index: indexWheel(paths, metadata) };
}

/** The text of a wheel's METADATA. @throws AppError `plugin_invalid` for an invalid wheel */
export function readWheelMetadata(bytes: Uint8Array): string {
  return readContents(bytes).metadata;
}

/**
 * The names of the files and the METADATA. Only the two files that are needed are unpacked; of all others it is only counted
 * what they would come to.
 */
function readContents(bytes: Uint8Array): { metadata: string; paths: string[] } {
  let size = 0;
  const paths: string[] = [];
  let found: Record<string, Uint8Array>;
  try {
    found = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        size += originalSize;
        paths.push(name);
        if (name.startsWith("/") || name.includes("\\") || name.split("/").includes(".."))
          throw invalid("The wheel has a file outside its folder");
        return /^[^/]+\.dist-info\/(METADATA|WHEEL)$/.test(name) && originalSize <= maxMetadataBytes;
      },
    });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw invalid("The file is not a wheel (a zip archive), or it is damaged");
  }
  if (size > maxUnpackedBytes || paths.length > maxFiles)
    throw new AppError(
      "payload_too_large",
      `The unpacked wheel has more than ${maxUnpackedBytes / 1_000_000} MB or ${maxFiles} files`,
    );
  const of = (name: string) => Object.entries(found).filter(([path]) => path.endsWith(`/${name}`));
  const [metadata] = of("METADATA");
  if (!metadata || of("METADATA").length > 1 || of("WHEEL").length === 0)
    throw invalid("Not a wheel: METADATA and WHEEL are missing from a .dist-info folder");
  return { metadata: utf8Text(metadata[1]), paths };
}

/** A header of the core metadata, which is written like those of e-mails. */
function field(metadata: string, name: string): string {
  const head = metadata.split(/\r?\n\r?\n/)[0] ?? "";
  const value = new RegExp(`^${name}:[ \\t]*(\\S+)[ \\t]*$`, "im").exec(head)?.[1];
  if (value === undefined || value.length > 200) throw invalid(`The wheel's METADATA has no ${name}`);
  return value;
}

/** Names of files write local versions with an underscore. */
function isSameVersion(a: string, b: string): boolean {
  const plain = (version: string) => version.toLowerCase().replaceAll(/[-_]/g, ".").replaceAll("+", ".");
  return plain(a) === plain(b);
}

function invalid(message: string): AppError {
  return new AppError("plugin_invalid", message, { param: "file", issues: [{ path: "file", message }] });
}
