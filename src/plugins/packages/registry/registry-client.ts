import { AppError } from "../../../errors.ts";
import { tryParseJson } from "../../../lib/json.ts";
import { utf8Text } from "../../../lib/utf8.ts";
import { isSameVersion, runsHere } from "../python-version.ts";
import { readWheelMetadata } from "../read-wheel.ts";
import { normalizeName } from "../wheel-index.ts";
import { type CoreMetadata, readCoreMetadata } from "./core-metadata.ts";
import { fetchBytes, type Fetching } from "./fetch-bytes.ts";
import { type Project, readProjectPage, type Release } from "./project-page.ts";

/** Largest page of a project: the largest of PyPI have some megabytes. */
const maxPageBytes = 10_000_000;
const maxMetadataBytes = 2_000_000;
/** Largest wheel, as for those that are uploaded. */
export const maxWheelBytes = 20_000_000;
/** Bytes that may be read of wheels only to see what they need, where a registry does not offer that alone. */
const maxPeekedBytes = 60_000_000;

const accepted = "application/vnd.pypi.simple.v1+json, application/json;q=0.5";

/** Reads the allowed registries; what was read once is kept as long as the client lives. */
export interface RegistryClient {
  /**
   * What the first registry that knows the package has of it. Undefined if none does.
   * @throws AppError `upstream_unreachable`, `upstream_timeout`, `upstream_invalid_answer`, `address_not_allowed`. A registry that
   *   fails is not passed over: the next one could have a package of the same name by somebody else.
   */
  project(name: string): Promise<Project | undefined>;
  /** What a release says of itself. Undefined where it does not run here after all. @throws AppError as above */
  metadata(release: Release): Promise<CoreMetadata | undefined>;
}

/** @param registries base addresses of their simple API, in order */
export function createRegistryClient(fetching: Fetching, registries: readonly string[]): RegistryClient {
  const projects = new Map<string, Promise<Project | undefined>>();
  const known = new Map<string, Promise<CoreMetadata | undefined>>();
  let peeked = 0;

  async function loadProject(name: string): Promise<Project | undefined> {
    for (const registry of registries) {
      const address = `${registry.replace(/\/+$/, "")}/${name}/`;
      const page = await fetchBytes(fetching, address, { maxBytes: maxPageBytes, accept: accepted });
      if (page) return readProjectPage(name, page.address, registry, tryParseJson(utf8Text(page.bytes)));
    }
    return undefined;
  }

  async function loadMetadata({ name, version, registry, wheel }: Release): Promise<CoreMetadata | undefined> {
    const text = await metadataText(wheel);
    const read = readCoreMetadata(text);
    if (!read || normalizeName(read.name) !== name || !isSameVersion(read.version, version))
      throw new AppError(
        "upstream_invalid_answer",
        `${registry}: ${wheel.filename} says that it is ${read ? `${read.name} ${read.version}` : "nothing"}`,
      );
    return runsHere(read.requiresPython) ? read : undefined;
  }

  async function metadataText(wheel: Release["wheel"]): Promise<string> {
    if (wheel.metadata !== null) {
      const url = new URL(wheel.url);
      url.pathname += ".metadata";
      const sha256 = wheel.metadata === true ? undefined : wheel.metadata;
      const found = await fetchBytes(fetching, url.href, { maxBytes: maxMetadataBytes, sha256 });
      if (found) return utf8Text(found.bytes);
    }
    if (peeked >= maxPeekedBytes)
      throw new AppError(
        "limit_reached",
        "The registry does not offer metadata alone, and these packages are too large",
      );
    const found = await fetchBytes(fetching, wheel.url, {
      maxBytes: Math.min(maxWheelBytes, maxPeekedBytes - peeked),
      size: wheel.size,
      sha256: wheel.sha256,
      onBytes: (count) => (peeked += count),
    });
    if (!found) throw new AppError("upstream_invalid_answer", `${wheel.filename} is not there`);
    return readWheelMetadata(found.bytes);
  }

  return {
    project: (name) => remembered(projects, name, () => loadProject(name)),
    metadata: (release) => remembered(known, release.wheel.sha256, () => loadMetadata(release)),
  };
}

function remembered<T>(kept: Map<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
  let found = kept.get(key);
  if (!found) {
    found = load();
    // Nobody may be waiting yet.
    found.catch(() => undefined);
    kept.set(key, found);
  }
  return found;
}
