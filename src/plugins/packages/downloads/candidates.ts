import { builtInPackages, compiledStandIns, pinnedPackages } from "../built-in.ts";
import type { InterpreterPackages, LockedPackage } from "../interpreter/locked-packages.ts";
import { allowedVersions, isAllowed } from "../python-version.ts";
import type { CoreMetadata } from "../registry/core-metadata.ts";
import type { Project, Release } from "../registry/project-page.ts";
import type { RegistryClient } from "../registry/registry-client.ts";
import type { Candidate, CandidateSource } from "../resolve.ts";
import type { WheelIndex } from "../wheel-index.ts";

/** A package that plugins of the organization have. */
export interface StoredPackage {
  name: string;
  version: string;
  contents: WheelIndex | null;
  /** The person may replace it. */
  mayReplace: boolean;
}

export type PlannedCandidate = Candidate &
  (
    | { origin: "built_in" }
    | { origin: "stored"; stored: StoredPackage }
    | { origin: "registry"; release: Release; metadata?: CoreMetadata | undefined; locked?: LockedPackage }
  );

/** Of a package, so many of the newest versions are looked at. */
const maxVersions = 30;

/**
 * Versions for plugins of an organization: what is built in or stored already, where it fits; else those of the registries, and
 * the one that was made for the interpreter.
 * @param stored packages by their names
 * @param interpreter packages made for the interpreter; undefined if no address for them is allowed
 */
export function createCandidates(
  client: RegistryClient,
  stored: ReadonlyMap<string, StoredPackage>,
  interpreter?: InterpreterPackages,
): CandidateSource<PlannedCandidate> {
  function present(name: string): PlannedCandidate | undefined {
    // Some of what is pinned is ours, and has no version.
    const builtIn = builtInPackages[name] ?? (pinnedPackages.has(name) ? "0" : undefined);
    const found = stored.get(name);
    // What is stored takes the place of what is built in, except of what the network goes through.
    if (builtIn !== undefined && (!found || pinnedPackages.has(name)))
      return { name, version: builtIn, origin: "built_in" };
    return found && { name, version: found.version, origin: "stored", stored: found };
  }

  return {
    isFixed: (name) => pinnedPackages.has(name),
    expect(names) {
      for (const name of names) if (!present(name)) void client.project(name).catch(() => undefined);
    },
    async find(name, specifiers) {
      const here = present(name);
      if (here && isAllowed(here.version, specifiers)) return { candidates: [here] };
      const kept = stored.get(name);
      if (kept && !kept.mayReplace)
        return { candidates: [], why: `version ${kept.version} was added by a system administrator` };
      const project = await client.project(name);
      const made = interpreter && madeForInterpreter(name, interpreter);
      const offered = new Map<string, PlannedCandidate>(made && [[made.version, made]]);
      for (const release of project?.releases ?? [])
        offered.set(release.version, { name, version: release.version, origin: "registry", release });
      const candidates = allowedVersions([...offered.keys()], specifiers)
        .slice(0, maxVersions)
        .map((version) => offered.get(version)!);
      if (candidates.length > 0) return { candidates };
      const standIn = compiledStandIns[name];
      if (standIn !== undefined && isAllowed(standIn, specifiers))
        return { candidates: [{ name, version: standIn, origin: "built_in" }] };
      return { candidates, why: absence(name, project, made) };
    },
    async needs(candidate) {
      if (candidate.origin === "built_in") return [];
      if (candidate.origin === "stored")
        return (candidate.stored.contents?.requires ?? []).map(({ name, extras = [], for: part }) => ({
          name,
          extras,
          specifier: "",
          ...(part === undefined ? {} : { for: part }),
        }));
      if (candidate.locked) return candidate.locked.needs.map((each) => ({ name: each, extras: [], specifier: "" }));
      candidate.metadata = await client.metadata(candidate.release);
      return candidate.metadata?.requires;
    },
  };
}

function madeForInterpreter(
  name: string,
  { address, packages }: InterpreterPackages,
): (PlannedCandidate & { origin: "registry" }) | undefined {
  const locked = packages.get(name);
  if (!locked) return undefined;
  const { version, filename, sha256 } = locked;
  const url = `${address.replace(/\/+$/, "")}/${encodeURIComponent(filename)}`;
  const wheel = { filename, url, sha256, size: null, metadata: null };
  const release = { name, version, registry: new URL(address).host, wheel };
  return { name, version, origin: "registry", release, locked };
}

/** Why no version of a package can be had, for people. */
function absence(name: string, project: Project | undefined, made: PlannedCandidate | undefined): string {
  if (made) return `the one that was made for the interpreter is ${made.version}`;
  if (!project) return `no allowed registry has ${name}`;
  const { releases, unusable } = project;
  if (releases.length === 0)
    return unusable > 0
      ? `${name} has no wheel that runs in WebAssembly on CPython 3.14`
      : `the registry offers no wheel of ${name} with a SHA-256`;
  const [newest] = allowedVersions(
    releases.map(({ version }) => version),
    [],
  );
  return `the newest one that runs here is ${newest}`;
}
