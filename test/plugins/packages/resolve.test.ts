import fc from "fast-check";
import { expect, test } from "vitest";
import { allowedVersions, isAllowed } from "../../../src/plugins/packages/python-version.ts";
import { readRequirement, type Requirement } from "../../../src/plugins/packages/requirement.ts";
import { type Candidate, type CandidateSource, resolve, Unresolvable } from "../../../src/plugins/packages/resolve.ts";

/** Packages by name and version, with what each needs; `x: foo` behind a requirement is only for the part `x`. */
type World = Record<string, Record<string, string[]>>;

const limits = { packages: 60, tries: 200 };
const read = (text: string): Requirement => {
  const { marker: _, ...requirement } = readRequirement(text)!;
  return requirement;
};

function sourceOf(world: World, fixed: Record<string, string> = {}) {
  const asked: string[] = [];
  const source: CandidateSource<Candidate> = {
    isFixed: (name) => fixed[name] !== undefined,
    expect: () => undefined,
    async find(name, specifiers) {
      if (fixed[name] !== undefined) return { candidates: [{ name, version: fixed[name] }] };
      const versions = Object.keys(world[name] ?? {});
      return { candidates: allowedVersions(versions, specifiers).map((version) => ({ name, version })) };
    },
    async needs({ name, version }) {
      asked.push(`${name} ${version}`);
      const needs = world[name]?.[version] ?? [];
      if (needs.includes("broken")) return undefined;
      return needs.map((text) => {
        const [, part, rest = ""] = /^(?:(\w+): )?(.*)$/.exec(text)!;
        return { ...read(rest), ...(part === undefined ? {} : { for: part }) };
      });
    },
  };
  return { source, asked };
}
async function solve(
  world: World,
  wanted: string[],
  options: { fixed?: Record<string, string>; limits?: typeof limits } = {},
) {
  const { source, asked } = sourceOf(world, options.fixed);
  const chosen = await resolve(wanted.map(read), source, options.limits ?? limits);
  return {
    versions: Object.fromEntries(chosen.map(({ candidate }) => [candidate.name, candidate.version])),
    chosen,
    asked,
  };
}

test("takes the newest of everything that is needed, and says who needs it", async () => {
  const { versions, chosen } = await solve(
    { soup: { "4.9": [], "4.12": ["sieve>1.2"] }, sieve: { "1.1": [], "2.5": [] }, other: { "1.0": [] } },
    ["soup"],
  );
  expect(versions).toEqual({ soup: "4.12", sieve: "2.5" });
  expect(chosen.map(({ candidate, wantedBy }) => [candidate.name, wantedBy])).toEqual([
    ["soup", [""]],
    ["sieve", ["soup"]],
  ]);
});

test("an older version where the newest excludes what somebody else demands", async () => {
  const world = {
    a: { "1.0": ["c<2"] },
    b: { "1.0": ["c"], "2.0": ["c>=2"] },
    c: { "1.5": [], "2.0": [] },
  };
  expect((await solve(world, ["a", "b"])).versions).toEqual({ a: "1.0", b: "1.0", c: "1.5" });
  // Also where the demand comes after the choice.
  expect((await solve(world, ["c", "b", "a"])).versions).toEqual({ a: "1.0", b: "1.0", c: "1.5" });
});

test("a conflict names who demands what", async () => {
  const world = { a: { "1.0": ["c<2"] }, b: { "2.0": ["c>=2"] }, c: { "1.5": [], "2.0": [] } };
  const failure = await solve(world, ["a", "b"]).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Unresolvable);
  expect((failure as Error).message).toBe("No version of c fits. a 1.0 needs c<2, b 2.0 needs c>=2");
  await expect(solve(world, ["c>=3"])).rejects.toThrow("No version of c fits. You want c>=3");
  await expect(solve({ a: { "1.0": ["gone"] } }, ["a"])).rejects.toThrow("No version of gone fits. a 1.0 needs gone");
});

test("goes back to the choice that had a part in the conflict, and not through all others", async () => {
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`1.${index}`, [] as string[]]));
  const world: World = {
    a: { "1.0": ["c<2"], "2.0": ["c>=2"] },
    between: many,
    others: many,
    z: { "1.0": ["c<2"] },
    c: { "1.5": [], "2.0": [] },
  };
  const { versions, asked } = await solve(world, ["a", "between", "others", "z"]);
  expect(versions).toMatchObject({ a: "1.0", c: "1.5" });
  expect(asked.length).toBeLessThan(15);
});

test("sees what cannot be had before it chooses others", async () => {
  const none = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`1.${index}`, ["one", "two", "three", "gone"]]),
  );
  const world: World = { a: { ...none, "0.9": ["one"] }, one: { "1.0": [] }, two: { "1.0": [] }, three: { "1.0": [] } };
  const { versions } = await solve(world, ["a"], { limits: { packages: 60, tries: 40 } });
  expect(versions).toEqual({ a: "0.9", one: "1.0" });
});

test("optional parts are added where they are asked for, early or late", async () => {
  const world = {
    web: { "1.0": ["core", "http2: h2>=4"] },
    h2: { "3.0": [], "4.1": [] },
    core: { "1.0": [] },
    late: { "1.0": ["web[http2]"] },
  };
  expect((await solve(world, ["web"])).versions).toEqual({ web: "1.0", core: "1.0" });
  expect((await solve(world, ["web[http2]"])).versions).toEqual({ web: "1.0", core: "1.0", h2: "4.1" });
  expect((await solve(world, ["web", "late"])).versions).toEqual({ web: "1.0", core: "1.0", late: "1.0", h2: "4.1" });
});

test("what is built in below all others stays, whatever is demanded of it", async () => {
  const { versions } = await solve({ a: { "1.0": ["httpx>=99"] } }, ["a"], { fixed: { httpx: "0.28.1" } });
  expect(versions).toEqual({ a: "1.0", httpx: "0.28.1" });
});

test("circles end, versions that do not run here are passed over, versions before a release wait", async () => {
  expect((await solve({ a: { "1.0": ["b"] }, b: { "1.0": ["a"] } }, ["a"])).versions).toEqual({ a: "1.0", b: "1.0" });
  expect((await solve({ a: { "1.0": [], "2.0": ["broken"] } }, ["a"])).versions).toEqual({ a: "1.0" });
  expect((await solve({ a: { "1.0": [], "2.0rc1": [] } }, ["a"])).versions).toEqual({ a: "1.0" });
  expect((await solve({ a: { "2.0rc1": [] } }, ["a"])).versions).toEqual({ a: "2.0rc1" });
});

test("both bounds hold, and say so", async () => {
  const chain = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`p${n}`, { "1.0": [`p${n + 1}`] }]));
  await expect(solve(chain, ["p0"], { limits: { packages: 5, tries: 100 } })).rejects.toThrow("More than 5 packages");
  const versions = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`1.${n}`, ["c>=9"]]));
  await expect(solve({ a: versions, c: { "1.0": [] } }, ["a"], { limits: { packages: 9, tries: 20 } })).rejects.toThrow(
    "after 20 tries. The first conflict: No version of c fits. a 1.49 needs c>=9",
  );
});

test("whatever it finds satisfies every demand, and it finds what trying everything finds", async () => {
  const names = ["a", "b", "c", "d"];
  const bound = fc.constantFrom("", "<2", ">=2", "==1.0", ">=3", "<3");
  const needs = fc.uniqueArray(
    fc.tuple(fc.constantFrom(...names), bound).map((parts) => parts.join("")),
    { maxLength: 2 },
  );
  const world = fc.record(
    Object.fromEntries(names.map((name) => [name, fc.record({ "1.0": needs, "2.0": needs, "3.0": needs })])),
  ) as fc.Arbitrary<World>;
  await fc.assert(
    fc.asyncProperty(world, async (packages) => {
      const found = await solve(packages, ["a", "b"], { limits: { packages: 60, tries: 100_000 } }).catch(
        (error: unknown) => {
          if (error instanceof Unresolvable) return undefined;
          throw error;
        },
      );
      const fits = (choice: Record<string, string>) =>
        ["a", "b"].every((name) => choice[name]) &&
        Object.entries(choice).every(([name, version]) =>
          packages[name]![version]!.map(read).every(
            (need) => choice[need.name] !== undefined && isAllowed(choice[need.name]!, [need.specifier]),
          ),
        );
      const isRight = found ? fits(found.versions) : !allChoices(names).some(fits);
      expect(isRight).toBe(true);
    }),
    { numRuns: 300 },
  );
});

function allChoices(names: readonly string[]): Record<string, string>[] {
  const [first, ...rest] = names;
  if (first === undefined) return [{}];
  return allChoices(rest).flatMap((choice) => [
    choice,
    ...["1.0", "2.0", "3.0"].map((version) => ({ ...choice, [first]: version })),
  ]);
}

test.each([
  ["openai>=1,<2", { name: "openai", extras: [], specifier: ">=1,<2", marker: "" }],
  [
    "Foo_Bar [A_b, c] (>= 1.0) ; python_version < '3'",
    { name: "foo-bar", extras: ["a-b", "c"], specifier: ">=1.0", marker: "python_version < '3'" },
  ],
  ["name ~= 1.4.2", { name: "name", extras: [], specifier: "~=1.4.2", marker: "" }],
])("%j is read", (text, expected) => {
  expect(readRequirement(text)).toEqual(expected);
});

test.each([
  "",
  "-x",
  "a b",
  "name @ https://evil.example/x.whl",
  "../x",
  "naïve",
  "rеquests",
  "x".repeat(600),
  "name>=1 garbage[",
])("%j is no requirement", (text) => {
  expect(readRequirement(text)).toBeUndefined();
});

test("reading a requirement never throws, and what it reads has a plain name", () => {
  const read = fc.string().map((text) => readRequirement(text)?.name ?? "none");
  fc.assert(fc.property(read, (name) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)));
  expect(readRequirement("A.B")?.name).toBe("a-b");
});
