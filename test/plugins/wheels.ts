import { strToU8, zipSync } from "fflate";

/** A wheel as `pip wheel` makes it, for tests. */
export function makeWheel(
  name: string,
  version: string,
  files: Record<string, string | Uint8Array> = {},
  metadata = `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n\nText\n`,
): Uint8Array<ArrayBuffer> {
  const folder = `${name.replaceAll("-", "_")}-${version}.dist-info`;
  const all: Record<string, string | Uint8Array> = {
    [`${name.replaceAll("-", "_")}/__init__.py`]: `__version__ = "${version}"\n`,
    [`${folder}/METADATA`]: metadata,
    [`${folder}/WHEEL`]: "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    ...files,
  };
  const entries = Object.entries(all).map(([path, text]) => [path, typeof text === "string" ? strToU8(text) : text]);
  return new Uint8Array(zipSync(Object.fromEntries(entries) as Record<string, Uint8Array>));
}
