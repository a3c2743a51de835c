import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parleyPlace } from "../../../scripts/import/import-parley.ts";
import type { RecordResult } from "../../../src/shared/moving-in/import-target.ts";
import { jsonLines } from "../../../src/shared/moving-in/parley/json-lines.ts";
import { runImport } from "../../../src/shared/moving-in/run-import.ts";
import { worldTarget } from "../../imports/import-data.ts";
import { createWorld, type World } from "../../world.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "hostile-"));
  mkdirSync(path.join(folder, "files"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ada = { kind: "person", id: "ada", name: "Ada", email: "ada@harbour.example", role: "user" };
const line = (record: object) => `${JSON.stringify(record)}\n`;
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Writes the files of records, with a manifest that fits them or does not. */
function write(files: Record<string, string>, change: object = {}, changeEntry: object = {}): void {
  const kinds = Object.entries(files).map(([kind, content]) => {
    writeFileSync(path.join(folder, `${kind}.jsonl`), content);
    const [records, bytes] = [content.split("\n").length - 1, Buffer.byteLength(content)];
    return { kind, file: `${kind}.jsonl`, records, bytes, sha256: sha256(content), ...changeEntry };
  });
  const manifest = {
    format: "parley-export",
    version: 1,
    source: "parley:x",
    scope: "service",
    complete: true,
    kinds,
    ...change,
  };
  writeFileSync(path.join(folder, "manifest.json"), JSON.stringify(manifest));
}

const call = (only?: string[]) => ({
  source: folder,
  url: "",
  key: "",
  uploads: undefined,
  dryRun: false,
  only,
  mergeByEmail: false,
  withConfig: true,
  report: "",
  secret: undefined,
  env: {},
});

async function bring(world: World): Promise<RecordResult[]> {
  const place = parleyPlace(call());
  const { reading, fingerprint } = await place.open();
  const target = worldTarget(world, await world.admin(), () => undefined);
  const importId = await target.begin({ source: "parley", fingerprint, name: "x" });
  const outcomes: RecordResult[] = [];
  const onOutcome = (outcome: RecordResult) => void outcomes.push(outcome);
  const options = { mergeByEmail: false, dryRun: false, onOutcome, onProgress: () => undefined };
  await runImport({ readers: place.readers, reading, target, importId, ...options });
  return outcomes;
}

describe("a folder that somebody has changed", () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });
  afterEach(() => world.close());

  test("brings what can be read, and says of each line what is wrong", async () => {
    const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    write(
      {
        person: `{"kind":"person"\n\n[1]\n"text"\n${line({ ...ada, kind: "api_key" })}${line({ ...ada, id: "" })}\xff\n${line(ada)}{"kind":"person","id":"cut`,
        memory: `${line({ kind: "memory", id: "m1", person_id: "ada", content: "'; DROP TABLE users; --" })}${line({ kind: "memory", id: "../../m2", person_id: "ada", content: "<script>alert(1)</script>" })}${line({ kind: "memory", id: "m3", person_id: "nobody", content: "lost" })}{"kind":"memory","id":"m4","person_id":"ada","content":"__proto__","__proto__":{"admin":true}}\n{"kind":"memory","id":"m5","person_id":"ada","content":${nested}}\n`,
      },
      {},
      { sha256: "0".repeat(64) },
    );
    const outcomes = await bring(world);
    const told = (kind: string) =>
      outcomes.filter((each) => each.kind === kind).map(({ state, notes }) => [state, notes[0]]);
    expect(told("person")).toEqual(
      expect.arrayContaining([
        ["left_out", "It isn't as it was exported: what can be read of it is imported"],
        ["left_out", "It is not JSON"],
        ["left_out", "It is not a record"],
        ["left_out", "It is no person"],
        ["left_out", "It has no id"],
        ["created", undefined],
      ]),
    );
    expect(
      outcomes.filter(({ kind, id }) => kind === "memory" && ["m1", "m3", "m4"].includes(id)).map(({ state }) => state),
    ).toEqual(["created", "left_out", "created"]);
    expect(
      (await world.client.execute("SELECT content FROM memories ORDER BY id")).rows.map((row) => row["content"]),
    ).toEqual(expect.arrayContaining(["'; DROP TABLE users; --", "<script>alert(1)</script>"]));
    expect((await world.client.execute("SELECT count(*) AS n FROM users WHERE role = 'admin'")).rows[0]).toMatchObject({
      n: 1,
    });
  });

  test("has no way to files beside it", async () => {
    writeFileSync(path.join(folder, "secret.txt"), "secret of this machine");
    symlinkSync(path.join(folder, "secret.txt"), path.join(folder, "files/link"));
    writeFileSync(path.join(folder, "files/changed"), "changed");
    writeFileSync(path.join(folder, "files/sound"), "sound");
    const file = (id: string, more: object = {}) =>
      line({ kind: "file", id, person_id: "ada", name: `${id}.txt`, ...more });
    write({
      person: line(ada),
      file: [
        file("a", { path: "../../../../etc/passwd" }),
        file("b", { path: "/etc/passwd" }),
        file("c", { path: "../secret.txt" }),
        file("d", { path: "files/link" }),
        file("../secret.txt"),
        file("changed", { sha256: sha256("original"), size: 7 }),
        file("short", { path: "files/sound", size: 700 }),
        file("sound", { sha256: sha256("sound"), size: 5 }),
      ].join(""),
    });
    const outcomes = await bring(world);
    expect(outcomes.filter(({ kind }) => kind === "file").map(({ id, state, notes }) => [id, state, notes[0]])).toEqual(
      [
        ["a", "left_out", "Its bytes are not in the export"],
        ["b", "left_out", "Its bytes are not in the export"],
        ["c", "left_out", "Its bytes are not in the export"],
        ["d", "left_out", "Its bytes are not in the export"],
        ["../secret.txt", "left_out", "Its bytes are not in the export"],
        ["changed", "left_out", "Its bytes aren't those that were exported"],
        ["short", "left_out", "Its bytes aren't those that were exported"],
        ["sound", "created", undefined],
      ],
    );
  });

  test("with a file of records that leads elsewhere is refused or read as what it is", async () => {
    write({ person: line(ada) });
    rmSync(path.join(folder, "person.jsonl"));
    symlinkSync("/etc/passwd", path.join(folder, "person.jsonl"));
    const outcomes = await bring(world);
    expect(outcomes.filter(({ state }) => state !== "left_out")).toEqual([]);
    expect(JSON.stringify(outcomes)).not.toContain("root:");
  });
});

test.each([
  ["no JSON", "{", "not JSON"],
  ["of something else", '{"format":"x"}', "not that of an export"],
  ["of a later format", '{"format":"parley-export","version":2}', "has the format 2"],
  ["of no service", '{"format":"parley-export","version":1,"source":"open-webui:x"}', "which service"],
  ["without kinds", '{"format":"parley-export","version":1,"source":"parley:x","complete":true}', "kinds of records"],
  [
    "with a path as a kind",
    '{"format":"parley-export","version":1,"source":"parley:x","complete":true,"kinds":[{"kind":"../x","file":"../x.jsonl","records":1,"bytes":1,"sha256":""}]}',
    "kinds of records",
  ],
  [
    "that is not complete",
    '{"format":"parley-export","version":1,"source":"parley:x","complete":false}',
    "not complete",
  ],
])("a manifest %s is refused", (_, text, reason) => {
  writeFileSync(path.join(folder, "manifest.json"), text);
  expect(() => parleyPlace(call())).toThrow(reason);
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

test("a line of any size is read in pieces, and no more of it is kept than may be sent", async () => {
  async function* huge(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"a":"');
    for (let piece = 0; piece < 200; piece += 1) yield Buffer.alloc(1000, 0x78);
    yield Buffer.from('"}\n{"b":1}');
  }
  const lines = await all(jsonLines(huge(), 100_000));
  expect(lines).toEqual([{ reason: "It is too large to send" }, { value: { b: 1 } }]);
});

test("lines come out as they went in, wherever the pieces end", async () => {
  const values = fc.array(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(values, fc.integer({ min: 1, max: 9 }), async (given, size) => {
      const bytes = Buffer.from(given.map((value) => `${JSON.stringify(value)}\n`).join(""));
      async function* pieces(): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      }
      const lines = await all(jsonLines(pieces(), 1_000_000));
      expect(lines).toEqual(given.map((value) => ({ value: JSON.parse(JSON.stringify(value)) as unknown })));
    }),
  );
});
