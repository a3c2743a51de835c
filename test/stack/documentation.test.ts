import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Block, listPages, readBlocks } from "../docs/read-blocks.ts";
import { type Parley, startParley } from "./start-parley.ts";

const scimToken = "scim-token-of-the-documentation";
/** A line that no answer has: what is printed after it belongs to the next example. */
const divider = "---- next example ----";
/** As the examples of docs/api.md say. */
const person = { name: "Ada", email: "ada@harbour.example", password: "correct horse battery staple" };

let parley: Parley;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-examples-"));
  parley = await startParley({
    env: { SCIM_ENABLED: "true", SCIM_TOKEN: scimToken, SCIM_AUTH_PROVIDER: "oidc" },
  });
  const response = await fetch(`${parley.url}/api/v1/auths/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(person),
  });
  if (!response.ok) throw new Error(`The account could not be created: ${response.status} ${await response.text()}`);
});
afterAll(async () => {
  await parley?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The page that the others build on comes first. */
const pages = listPages("docs").toSorted((a, b) => Number(b === "docs/api.md") - Number(a === "docs/api.md"));

/**
 * Runs the examples of all pages one after another in one shell, as a reader would type them. Every call has to succeed,
 * unless a comment at its end names another status.
 */
async function runAll(examples: Block[]): Promise<string[]> {
  const script = [
    "set -eo pipefail",
    `SCIM_TOKEN=${scimToken}`,
    'curl() { command curl --fail-with-body "$@"; }',
    ...examples.flatMap(({ at, text }) => {
      const commands = text.replaceAll("http://127.0.0.1:8080", parley.url);
      // 22: what curl says of a status of 400 and above.
      return [`echo '${at}' >&2`, commands.replace(/ # [45]\d\d\n$/, " || test $? = 22"), `echo '${divider}'`];
    }),
  ].join("\n");
  try {
    const { stdout } = await promisify(execFile)("bash", ["-c", script], { cwd: folder, maxBuffer: 2 ** 24 });
    return stdout.split(`${divider}\n`);
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`The example at the end fails:\n${stderr}\n${stdout.split(`${divider}\n`).at(-1)}`, {
      cause: error,
    });
  }
}

/**
 * An answer cut to what the page shows of it: the fields that are shown, of lists the first entries, and `...` for a text
 * where the page has `...`.
 */
function asShown(answer: unknown, shown: unknown): unknown {
  if (shown === "..." && typeof answer === "string" && answer !== "") return "...";
  if (Array.isArray(shown) && Array.isArray(answer)) return shown.map((part, index) => asShown(answer[index], part));
  if (!isObject(shown) || !isObject(answer)) return answer;
  return Object.fromEntries(Object.entries(shown).map(([key, part]) => [key, asShown(answer[key], part)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

test("the examples of the documentation work as they stand, and answer what the pages say", async () => {
  const blocks = pages.flatMap(readBlocks);
  const examples = blocks.filter(({ mark }) => mark === "run");
  const answers = await runAll(examples);
  const shown = examples.map((example) => blocks[blocks.indexOf(example) + 1]);
  const compared = shown.flatMap((block, index) => {
    if (block?.mark !== "answer") return [];
    const expected = JSON.parse(block.text) as unknown;
    return [{ at: block.at, expected, answer: asShown(JSON.parse(answers[index]!), expected) }];
  });
  expect(compared.length).toBeGreaterThan(8);
  for (const { at, expected, answer } of compared) expect(answer, at).toEqual(expected);
});

test("the plugins of the documentation can be installed", async () => {
  const signIn = await fetch(`${parley.url}/api/v1/auths/signin`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(person),
  });
  const { token } = (await signIn.json()) as { token: string };
  const plugins = pages.flatMap(readBlocks).filter(({ mark }) => mark === "plugin: tool");
  expect(plugins.length).toBeGreaterThan(0);
  for (const { at, text } of plugins) {
    const response = await fetch(`${parley.url}/api/v1/tools/create`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ id: "documented", name: "Documented", content: text, meta: { description: "" } }),
    });
    expect({ at, status: response.status, body: await response.json() }).toMatchObject({ status: 200 });
  }
});
