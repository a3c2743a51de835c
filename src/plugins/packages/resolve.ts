import { isAllowed } from "./python-version.ts";
import { type Requirement, writeRequirement } from "./requirement.ts";

/** A version of a package that could be chosen. */
export interface Candidate {
  /** Normalized (PEP 503). */
  name: string;
  version: string;
}

/** What a chosen version needs. */
export type Needs = readonly (Requirement & { /** Only for this optional part. */ for?: string })[];

/** Where versions come from. */
export interface CandidateSource<C extends Candidate> {
  /** Those that the specifiers allow, the best first; `why` says for people why there is none. */
  find(name: string, specifiers: readonly string[]): Promise<{ candidates: readonly C[]; why?: string }>;
  /** Undefined for a version that turns out not to run here. */
  needs(candidate: C): Promise<Needs | undefined>;
  /** Says early which packages will be asked for, so that they are loaded at once. */
  expect(names: readonly string[]): void;
  /** Whether it stays whatever is demanded of it: what is built in below all others. */
  isFixed(name: string): boolean;
}

export interface Limits {
  /** Packages that are chosen. */
  packages: number;
  /** Versions that are tried. */
  tries: number;
}

/** A version that was chosen, with those who asked for it: names of packages, or "" for the person. */
export interface Chosen<C> {
  candidate: C;
  wantedBy: string[];
}

/** Thrown where no choice of versions fits, or none was found within the limits. The message is for people. */
export class Unresolvable extends Error {}

interface Demand extends Requirement {
  /** The package that demands it; "" for the person. */
  by: string;
  /** Its version. */
  version: string;
}

interface State<C> {
  chosen: ReadonlyMap<string, { candidate: C; needs: Needs }>;
  /** By the name that is demanded, in the order in which they were met. */
  demands: ReadonlyMap<string, readonly Demand[]>;
}

interface Conflict {
  message: string;
  /** Packages of which another version could help. */
  blame: ReadonlySet<string>;
}

type Outcome<C> = { state: State<C> } | { conflict: Conflict };

/**
 * Chooses a version of each package that is wanted and of all that these need: the newest that satisfies everything demanded of it
 * so far. Where that leads nowhere, the next older one, beginning with the choice that had a part in the conflict.
 * @throws Unresolvable; whatever the source throws
 */
export async function resolve<C extends Candidate>(
  wanted: readonly Requirement[],
  source: CandidateSource<C>,
  limits: Limits,
): Promise<Chosen<C>[]> {
  let tries = 0;
  let start: State<C> = { chosen: new Map(), demands: new Map() };
  for (const requirement of wanted) start = demand(start, { ...requirement, by: "", version: "" }, source) as State<C>;
  source.expect(wanted.map(({ name }) => name));

  async function solve(state: State<C>): Promise<Outcome<C>> {
    const name = [...state.demands.keys()].find((each) => !state.chosen.has(each));
    if (name === undefined) return { state };
    if (state.chosen.size >= limits.packages)
      throw new Unresolvable(`More than ${limits.packages} packages would be needed: upload them instead`);
    const demands = state.demands.get(name)!;
    const { candidates, why } = await source.find(
      name,
      source.isFixed(name) ? [] : demands.map(({ specifier }) => specifier),
    );
    const blame = new Set(demands.map(({ by }) => by));
    let first: Conflict | undefined;
    for (const candidate of candidates) {
      tries += 1;
      if (tries > limits.tries)
        throw new Unresolvable(
          `No versions that fit were found after ${limits.tries} tries${first ? `. The first conflict: ${first.message}` : ""}`,
        );
      const needs = await source.needs(candidate);
      if (!needs) continue;
      const chosen = choose(state, candidate, needs, source);
      const dead = "state" in chosen ? await findDead(state, chosen.state) : undefined;
      const outcome = dead ?? ("state" in chosen ? await solve(chosen.state) : chosen);
      if ("state" in outcome) return outcome;
      first ??= outcome.conflict;
      // Another version of this one changes nothing.
      if (!outcome.conflict.blame.has(name)) return outcome;
      for (const each of outcome.conflict.blame) if (each !== name) blame.add(each);
    }
    const message = first?.message ?? noneFits(name, demands, why).message;
    return { conflict: { message, blame } };
  }

  /** A package that was just demanded, and of which nothing fits: seen before others are chosen, it costs one try and not many. */
  async function findDead(
    before: State<C>,
    { chosen, demands }: State<C>,
  ): Promise<{ conflict: Conflict } | undefined> {
    const open = [...demands].filter(([name]) => !chosen.has(name));
    source.expect(open.map(([name]) => name));
    for (const [name, wanted] of open) {
      if (source.isFixed(name) || before.demands.get(name) === wanted) continue;
      const { candidates, why } = await source.find(
        name,
        wanted.map(({ specifier }) => specifier),
      );
      if (candidates.length === 0) return { conflict: noneFits(name, wanted, why) };
    }
    return undefined;
  }

  const outcome = await solve(start);
  if ("conflict" in outcome) throw new Unresolvable(outcome.conflict.message);
  const { chosen, demands } = outcome.state;
  return [...chosen].map(([name, { candidate }]) => ({
    candidate,
    wantedBy: [...new Set(demands.get(name)!.map(({ by }) => by))],
  }));
}

function choose<C extends Candidate>(
  state: State<C>,
  candidate: C,
  needs: Needs,
  source: CandidateSource<C>,
): Outcome<C> {
  const { name, version } = candidate;
  const extras = new Set(state.demands.get(name)!.flatMap((each) => each.extras));
  const before: State<C> = { ...state, chosen: new Map(state.chosen).set(name, { candidate, needs }) };
  return demandAll(before, needs, { name, version, extras: ["", ...extras] }, source);
}

/** Adds what these optional parts ("" for the package itself) of a chosen package need. */
function demandAll<C extends Candidate>(
  start: State<C>,
  needs: Needs,
  { name, version, extras }: { name: string; version: string; extras: readonly string[] },
  source: CandidateSource<C>,
): Outcome<C> {
  let state = start;
  for (const { for: part = "", ...requirement } of needs) {
    if (!extras.includes(part)) continue;
    const next = demand(state, { ...requirement, by: name, version }, source);
    if ("message" in next) return { conflict: next };
    state = next;
  }
  return { state };
}

function demand<C extends Candidate>(state: State<C>, wanted: Demand, source: CandidateSource<C>): State<C> | Conflict {
  const { name, specifier } = wanted;
  const before = state.demands.get(name) ?? [];
  const knownExtras = new Set(before.flatMap(({ extras }) => extras));
  const demands = new Map(state.demands).set(name, [...before, wanted]);
  const next: State<C> = { ...state, demands };
  const chosen = state.chosen.get(name);
  if (!chosen) return next;
  const { candidate, needs } = chosen;
  if (!source.isFixed(name) && !isAllowed(candidate.version, [specifier]))
    return {
      message: listDemands(demands.get(name)!),
      blame: new Set([name, ...[...before, wanted].map(({ by }) => by)]),
    };
  const extras = wanted.extras.filter((extra) => !knownExtras.has(extra));
  if (extras.length === 0) return next;
  const outcome = demandAll(next, needs, { name, version: candidate.version, extras }, source);
  return "state" in outcome ? outcome.state : outcome.conflict;
}

function noneFits(name: string, demands: readonly Demand[], why: string | undefined): Conflict {
  // A name alone, which the person has just typed, explains nothing.
  const isNamedOnly = demands.every(({ by, specifier }) => by === "" && specifier === "");
  const demanded = isNamedOnly ? "" : `. ${listDemands(demands)}`;
  return {
    message: `No version of ${name} fits${why ? `: ${why}` : ""}${demanded}`,
    blame: new Set(demands.map(({ by }) => by)),
  };
}

/** "a 1.0 needs c<2, b 2.0 needs c>=3" */
function listDemands(demands: readonly Demand[]): string {
  const telling = demands.filter(({ specifier, by }) => specifier !== "" || by === "");
  return (telling.length > 0 ? telling : demands.slice(0, 1))
    .map((each) => `${each.by === "" ? "You want" : `${each.by} ${each.version} needs`} ${writeRequirement(each)}`)
    .join(", ");
}
