import { type BundlePins, pinsFile } from "../../src/plugins/packages/bundle/bundle-pins.ts";
import { createCandidates } from "../../src/plugins/packages/downloads/candidates.ts";
import { packageNamed } from "../../src/plugins/packages/import-names.ts";
import { type InterpreterPackages } from "../../src/plugins/packages/interpreter/locked-packages.ts";
import { readFetchedWheel } from "../../src/plugins/packages/read-fetched-wheel.ts";
import { fetchBytes } from "../../src/plugins/packages/registry/fetch-bytes.ts";
import { createRegistryClient, maxWheelBytes } from "../../src/plugins/packages/registry/registry-client.ts";
import { readRequirement } from "../../src/plugins/packages/requirement.ts";
import { resolve } from "../../src/plugins/packages/resolve.ts";

type Pin = BundlePins["packages"][number];

/**
 * Fetches packages with all that they need.
 * @param names as plugins import or require them
 * @param registries base addresses of their simple API, in order
 * @param interpreter packages that were made for the interpreter, and where they are
 * @returns the files of a bundle, the pins first
 * @throws Error with a message for people
 */
export async function makeBundle(
  names: readonly string[],
  registries: readonly string[],
  interpreter?: InterpreterPackages,
  fetching: typeof fetch = fetch,
): Promise<{ files: Record<string, Uint8Array>; packages: Pin[] }> {
  const wanted = names.map((name) => {
    const read = readRequirement(name);
    if (!read || read.marker !== "") throw new Error(`${name} is not the name of a package`);
    return { ...read, name: packageNamed(read.name) };
  });
  const access = { guarded: fetching, signal: new AbortController().signal };
  const source = createCandidates(createRegistryClient(access, registries), new Map(), interpreter);
  const chosen = await resolve(wanted, source, { packages: 60, tries: 200 });
  const packages: Pin[] = [];
  const wheels: Record<string, Uint8Array> = {};
  for (const { candidate } of chosen) {
    if (candidate.origin !== "registry") continue;
    const { name, version, release, metadata } = candidate;
    const { filename, url, sha256, size } = release.wheel;
    const found = await fetchBytes(access, url, { maxBytes: maxWheelBytes, size, sha256 });
    if (!found) throw new Error(`${filename} is not there`);
    readFetchedWheel({ name, version, filename }, found.bytes);
    wheels[filename] = found.bytes;
    const { length } = found.bytes;
    packages.push({
      name,
      version,
      filename,
      sha256,
      size: length,
      license: metadata?.license ?? null,
      registry: release.registry,
    });
  }
  if (packages.length === 0) throw new Error("Plugins have all of that already");
  const pins: BundlePins = { format: 1, packages };
  return { files: { [pinsFile]: new TextEncoder().encode(JSON.stringify(pins, null, 2)), ...wheels }, packages };
}
