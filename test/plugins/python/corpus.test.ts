import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Described, PluginResult } from "../../../src/plugins/plugin-host.ts";
import { type StartedHost, startHost } from "../host/start-host.ts";

/**
 * Plugins as people write them for Open WebUI: small ones of our own, in each of the ways that were found. The files hold
 * them as blocks: a line `#% name`, a line `#>` with an Expected in JSON, and the source.
 */
const folder = path.join(import.meta.dirname, "../../fixtures/plugins/corpus");
const kinds = { "pipes.txt": "pipe", "filters.txt": "filter", "actions.txt": "action", "tools.txt": "tools" } as const;
type Kind = (typeof kinds)[keyof typeof kinds];

/** What a call gives: a value, a text that matches, or an error that does. */
interface Call {
  call?: string;
  args?: Record<string, unknown>;
  value?: unknown;
  /** Of the message. */
  error?: string;
  events?: object[];
  questions?: object[];
  /** Names of what it asks of the person's rights. */
  requests?: string[];
  chunks?: unknown[];
  /** A line of its log. */
  logs?: string;
}

interface Expected extends Call {
  /** Which of the reasons that stop plugins it stands for. */
  row: string;
  valves?: Record<string, unknown>;
  user?: Record<string, unknown>;
  answers?: unknown[];
  rights?: Record<string, unknown>;
  streams?: boolean;
  /** Several calls, one after the other, instead of one. */
  calls?: Call[];
  info?: object;
  hooks?: string[];
  /** Names of its tools. */
  specs?: string[];
  /** What keeps it from being saved. */
  problem?: string;
  /** So many characters of comments are added. */
  padding?: number;
}

interface Plugin {
  name: string;
  kind: Kind;
  expected: Expected;
  source: string;
}

function readCorpus(): Plugin[] {
  return readdirSync(folder).flatMap((file) => {
    const kind = kinds[file as keyof typeof kinds];
    const blocks = readFileSync(path.join(folder, file), "utf8").split(/^#% /m).slice(1);
    return blocks.map((block) => {
      const [name = "", expectation = "", ...lines] = block.split("\n");
      const expected = JSON.parse(expectation.replace(/^#> /, "")) as Expected;
      const padding = "# padding\n".repeat(Math.ceil((expected.padding ?? 0) / 10));
      return { name: `${kind}/${name}`, kind, expected, source: `${lines.join("\n")}${padding}` };
    });
  });
}

const corpus = readCorpus();
const rows = [
  "plain",
  "packages",
  "the interpreter's own packages",
  "openai",
  "Open WebUI's inside",
  "refused before",
  "when run",
  "native",
];
/** So many at a time: two cores have no use for more. */
const atOnce = 3;
/** For what hangs, in ms: two cores with nothing else to do take 50 s for all of them together, slow and busy ones five times that. */
const maxMs = 900_000;

const ask = { body: { model: "m", messages: [{ role: "user", content: "hello" }] } };
const firstCalls: Record<Kind, string> = { pipe: "pipe", filter: "inlet", action: "action", tools: "" };

type Outcome = PluginResult & { events: unknown[]; questions: unknown[]; requests: string[]; chunks: unknown[] };

let host: StartedHost;
const described = new Map<string, Described>();
const results = new Map<string, Outcome[]>();
/** Processes that had plugins in them. */
const used = new Set<number | undefined>();

async function run({ name, kind, source, expected }: Plugin): Promise<Outcome[]> {
  const session = host.host.open({
    plugin: name,
    wall: "trusted//corpus",
    fingerprint: "corpus",
    language: "python",
    hosts: [],
    load: () => Promise.resolve({ code: source, valves: expected.valves ?? {}, packages: [] }),
  });
  const outcomes: Outcome[] = [];
  try {
    for (const { call = firstCalls[kind], args = ask } of callsOf(expected)) {
      const answers = [...(expected.answers ?? [])];
      const seen = {
        events: [] as unknown[],
        questions: [] as unknown[],
        requests: [] as string[],
        chunks: [] as unknown[],
      };
      const result = await session.call({
        method: call,
        args,
        reserved: {
          __user__: { id: "u1", name: "Ada", email: "ada@example.com", role: "user", ...expected.user },
          __metadata__: { chat_id: "c1", message_id: "m1" },
          __chat_id__: "c1",
          __files__: [{ id: "f1", name: "a.txt" }],
          __request__: { url: "https://chat.example.com/api/chat/completions", method: "POST", headers: {} },
          __tools__: { other: { spec: { name: "other", parameters: { properties: { text: {} } } } } },
        },
        signal: new AbortController().signal,
        timeoutMs: 30_000,
        capabilities: {
          emit: async (event) => void seen.events.push(event),
          call: async (event) => {
            seen.questions.push(event);
            return answers.shift();
          },
          request: async (right) => {
            seen.requests.push(right);
            const found = expected.rights?.[right];
            if (found === undefined) throw new Error("Not found");
            return found;
          },
        },
        ...(expected.streams ? { onChunk: (value) => void seen.chunks.push(value) } : {}),
      });
      outcomes.push({ ...result, ...seen });
    }
  } finally {
    session.close();
  }
  return outcomes;
}

function callsOf({ calls, ...expected }: Expected): Call[] {
  return calls ?? [expected];
}

beforeAll(async () => {
  host = await startHost({ python: true, limits: { cpuSeconds: 30, wallSeconds: 60, memory: 1e9 } });
  const waiting = [...corpus];
  const work = async () => {
    for (let plugin = waiting.shift(); plugin; plugin = waiting.shift()) {
      described.set(plugin.name, await host.host.describe(plugin.source, []));
      if (plugin.expected.problem === undefined && callsOf(plugin.expected).length > 0)
        results.set(plugin.name, await run(plugin));
      for (const { plugins, pid } of host.pool.processes)
        if ([...plugins].some((each) => each.includes("/"))) used.add(pid);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}, maxMs);

afterAll(() => host.stop());

describe("the corpus", () => {
  it("has eighty plugins of all kinds, for each reason that stops plugins", () => {
    expect(corpus.length).toBeGreaterThanOrEqual(80);
    expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length);
    for (const row of rows)
      expect(corpus.filter(({ expected }) => expected.row === row).length, row).toBeGreaterThan(1);
    expect(corpus.filter(({ expected }) => !rows.includes(expected.row))).toEqual([]);
    for (const kind of Object.values(kinds))
      expect(corpus.filter((each) => each.kind === kind).length).toBeGreaterThan(9);
  });

  it("runs in a few processes", () => {
    // One takes 32 at most, and is renewed when it has grown.
    expect(used.size).toBeLessThan(corpus.length / 6);
  });
});

describe("a plugin of the corpus", () => {
  it.each(corpus)("$name", (plugin) => {
    expect(seenOf(plugin)).toMatchObject(wantedOf(plugin));
  });
});

function seenOf({ name }: Plugin): object {
  const { info, problems } = described.get(name)!;
  const errors = problems.filter(({ severity }) => severity === "error").map(({ message }) => message);
  const outcomes = results.get(name) ?? [];
  return {
    errors,
    info: info && { ...info, specNames: info.specs.map((spec) => spec.name) },
    outcomes: outcomes.map((outcome) => ({
      ...outcome,
      lines: outcome.logs.map(({ level, text }) => `${level}: ${text}`),
    })),
  };
}

function wantedOf({ kind, expected }: Plugin): object {
  const { problem, hooks, specs } = expected;
  if (problem !== undefined) return { errors: [textWith(problem)], info: undefined, outcomes: [] };
  const info = {
    type: kind,
    language: "python",
    ...expected.info,
    ...(hooks ? { hooks } : {}),
    ...(specs ? { specNames: specs } : {}),
  };
  const isOnlyASwitch = (expected.info as { hooks?: string[] } | undefined)?.hooks?.length === 0;
  const outcomes = isOnlyASwitch ? [{ ok: false, error: { code: "missing" } }] : callsOf(expected).map(outcomeOf);
  return { errors: [], info, outcomes };
}

function outcomeOf({ error, value, events, questions, requests, chunks, logs }: Call): object {
  return {
    ...(error === undefined ? { ok: true } : { ok: false, error: { message: expect.stringMatching(error) as string } }),
    ...(value === undefined ? {} : { value: valueOf(value) }),
    ...(events ? { events } : {}),
    ...(questions ? { questions } : {}),
    ...(requests ? { requests } : {}),
    ...(chunks ? { chunks } : {}),
    ...(logs === undefined ? {} : { lines: expect.arrayContaining([logs]) as string[] }),
  };
}

function textWith(part: string): unknown {
  return expect.stringContaining(part) as unknown;
}

/** `{"matches": pattern}` stands for a text. */
function valueOf(value: unknown): unknown {
  const pattern = (value as { matches?: string } | null)?.matches;
  return pattern === undefined ? value : (expect.stringMatching(pattern) as unknown);
}
