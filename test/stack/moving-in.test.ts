import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ada as root, callApi, signUpByApi } from "../browser/accounts.ts";
import { makeOpenWebuiData, passwordOf } from "../fixtures/open-webui/make-data.ts";
import { type Parley, startParley } from "./start-parley.ts";

/** A row of the source. */
// oxlint-disable-next-line typescript/no-explicit-any
type Row = Record<string, any>;

const projectRoot = path.resolve(import.meta.dirname, "../..");
let parley: Parley;
let data: string;
let source: DatabaseSync;
let rootToken: string;
/** Of the people of the source, by their first names in lower case. */
const tokens = new Map<string, string>();

const rows = (query: string) => source.prepare(query).all() as Row[];
const json = <T = Record<string, unknown>>(value: unknown) => JSON.parse(String(value)) as T;
const as = <T>(name: string, route: string, method = "GET", body?: object) =>
  callApi<T>(parley.url, tokens.get(name)!, method, route, body);
const asRoot = <T>(route: string) => callApi<T>(parley.url, rootToken, "GET", route);

/** Runs the command as a person does. @returns its exit code and what it printed */
async function runImport(...words: string[]): Promise<{ code: number | null; output: string; report: string }> {
  const report = path.join(data, "report.md");
  const command = [
    "scripts/with-node.sh",
    "--disable-warning=ExperimentalWarning",
    "scripts/import.ts",
    "open-webui",
    data,
  ];
  const child = spawn("sh", [...command, "--url", parley.url, "--report", report, ...words], {
    cwd: projectRoot,
    env: { ...process.env, PARLEY_KEY: rootToken },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, output: out + errors, report: readFileSync(report, "utf8") };
}

/** The source, byte for byte. */
const fingerprint = () =>
  ["webui.db", ...readdirSync(path.join(data, "uploads")).map((name) => path.join("uploads", name))].map((name) => [
    name,
    createHash("sha256")
      .update(readFileSync(path.join(data, name)))
      .digest("hex"),
  ]);

/** What a table of the report says of one kind. */
function counts(output: string, kind: string): Record<string, string> {
  const lines = output.split("\n").filter((line) => line.startsWith("|"));
  const cells = (line = "") =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
  const columns = cells(lines[0]).slice(1);
  const found = lines.map(cells).find(([name]) => name === kind);
  return Object.fromEntries(columns.map((column, index) => [column, found?.[index + 1] ?? "0"]));
}

beforeAll(async () => {
  data = makeOpenWebuiData();
  source = new DatabaseSync(path.join(data, "webui.db"), { readOnly: true });
  parley = await startParley({ env: { ENABLE_API_KEYS: "true", USER_PERMISSIONS_FEATURES_API_KEYS: "true" } });
  rootToken = (await signUpByApi(parley.url, root)).token;
}, 180_000);
afterAll(async () => {
  source.close();
  await parley?.stop();
  rmSync(data, { recursive: true, force: true });
});

describe("everything of an Open WebUI", () => {
  test("is shown by a dry run, which stores nothing", async () => {
    const { code, output } = await runImport("--dry-run");
    expect(output).toContain("What would arrive");
    expect(counts(output, "person")).toMatchObject({ imported: expect.any(String) as string });
    expect(code).toBe(0);
    expect((await asRoot<{ total: number }>("/api/v1/users/")).total).toBe(1);
  });

  test("arrives with one command, and the source stays what it is", async () => {
    const before = fingerprint();
    const { code, output, report } = await runImport();
    expect(output).toContain("What has arrived");
    expect(output).not.toContain("failed |");
    expect(report).toContain("# What has arrived from");
    for (const secret of rows(
      "SELECT key AS secret FROM api_key UNION SELECT password FROM auth UNION SELECT token FROM channel_webhook",
    ))
      expect(output + report).not.toContain(secret["secret"]);
    expect(code).toBe(0);
    expect(fingerprint()).toEqual(before);
    for (const name of ["ada", "bob", "cho", "eve"]) {
      const { token } = await callApi<{ token: string }>(parley.url, "", "POST", "/api/v1/auths/signin", {
        email: `${name}@example.com`,
        password: passwordOf(name),
      });
      tokens.set(name, token);
    }
  });

  test("people with their ids, roles, pictures, settings and accounts elsewhere", async () => {
    const { users } = await asRoot<{ users: Record<string, unknown>[] }>("/api/v1/users/");
    for (const user of rows("SELECT id, name, email, role, created_at FROM user"))
      expect(users).toContainEqual(expect.objectContaining(user));
    const [about] = rows("SELECT bio, gender, date_of_birth FROM user WHERE email = 'bob@example.com'") as [Row];
    expect(await as("bob", "/api/v1/auths/")).toMatchObject(about);
    const [{ settings }] = rows("SELECT settings FROM user WHERE email = 'bob@example.com'") as [Row];
    expect(await as("bob", "/api/v1/users/user/settings")).toMatchObject({ ui: json<{ ui: object }>(settings).ui });
    const wrong = await fetch(`${parley.url}/api/v1/auths/signin`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "bob@example.com", password: "bob's password 2" }),
    });
    expect(wrong.status).toBe(400);
  });

  test("API keys, which go on working", async () => {
    for (const { key, user_id: id } of rows("SELECT key, user_id FROM api_key"))
      expect(await callApi(parley.url, key, "GET", "/api/v1/auths/")).toMatchObject({ id });
  });

  test("groups with their members", async () => {
    const groups = await asRoot<{ id: string; name: string; member_count: number }[]>("/api/v1/groups/");
    for (const { id, name } of rows(`SELECT id, name FROM "group"`))
      expect(groups).toContainEqual(expect.objectContaining({ id, name }));
  });

  test("files with their bytes, and knowledge bases with their directories and readers", async () => {
    for (const { id, filename, path: place } of rows("SELECT id, filename, path FROM file")) {
      const owner = filename === "handbook.txt" ? "ada" : "bob";
      const response = await fetch(`${parley.url}/api/v1/files/${id}/content`, {
        headers: { authorization: `Bearer ${tokens.get(owner)!}` },
      });
      const bytes = readFileSync(path.join(data, "uploads", path.basename(place)));
      expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    }
    const [{ id }] = rows("SELECT id FROM knowledge WHERE name = 'Harbour rules'") as [Row];
    const files = async () =>
      (await as<{ items: { meta: { name: string } }[] }>("cho", `/api/v1/knowledge/${id}/files?recursive=true`)).items;
    // Read in the background.
    await expect
      .poll(async () => (await files()).map(({ meta }) => meta.name).sort(), { timeout: 30_000 })
      .toEqual(["harbour.md", "prices ü.csv"]);
  });

  test("chats message by message, with folders, tags, pins, the archive and shared links", async () => {
    const names = new Map(
      rows("SELECT id, email FROM user").map(({ id, email }) => [id, String(email).split("@", 1)[0]!]),
    );
    for (const row of rows("SELECT * FROM chat")) {
      const chat = await as<{
        chat: { history: { messages: Record<string, Record<string, unknown>>; currentId: string } };
      }>(names.get(row["user_id"])!, `/api/v1/chats/${row["id"]}`);
      const tree = json<typeof chat.chat>(row["chat"]);
      expect(chat).toMatchObject({
        title: row["title"],
        archived: row["archived"] === 1,
        pinned: row["pinned"] === 1,
        folder_id: row["folder_id"],
        share_id: row["share_id"],
        created_at: row["created_at"],
      });
      const { messages } = chat.chat.history;
      expect(Object.keys(messages).sort()).toEqual(Object.keys(tree.history.messages).sort());
      expect(chat.chat.history.currentId).toBe(tree.history.currentId);
      for (const [id, given] of Object.entries(tree.history.messages)) {
        const { parentId, role, model, timestamp, sources, annotation } = given;
        const files = (given["files"] as { type: string; id?: string; url: string }[] | undefined)?.map(
          ({ type, id: fileId, url }) => (fileId === undefined ? { type, url } : { type, id: fileId }),
        );
        const there = Object.fromEntries(
          Object.entries({ parentId, role, model, timestamp, sources, annotation, files }).filter(
            ([, value]) => value !== undefined,
          ),
        );
        expect(messages[id]).toMatchObject(there);
        expect(String(messages[id]!["content"])).toContain(String(given["content"]).split("</details>\n").at(-1));
      }
    }
    for (const { id, title } of rows("SELECT id, title FROM shared_chat"))
      expect(await as("cho", `/api/v1/chats/share/${id}`)).toMatchObject({ title });
    for (const { id, name, parent_id } of rows("SELECT id, name, parent_id FROM folder"))
      expect(await as("bob", `/api/v1/folders/${id}`)).toMatchObject({ name, parent_id });
  });

  test("models, prompts, tools and functions with their valves", async () => {
    const { data: models } = await as<{ data: { id: string }[] }>("cho", "/api/models");
    expect(models.map(({ id }) => id)).not.toContain("stub");
    expect(await asRoot("/api/v1/models/model?id=harbour-master")).toMatchObject({
      name: "Harbour master",
      base_model_id: "stub",
      params: { system: "You are the harbour master.", temperature: 0.2 },
    });
    const prompts = await as<{ command: string; content: string }[]>("cho", "/api/v1/prompts/");
    expect(prompts).toContainEqual(
      expect.objectContaining({ command: "summary", content: "Summarize {{CLIPBOARD}} in {{LANGUAGE}}." }),
    );
    expect(await asRoot("/api/v1/tools/id/clock/valves")).toMatchObject({ zone: "Europe/Berlin" });
    expect(await as("bob", "/api/v1/tools/id/clock/valves/user")).toMatchObject({ short: true });
    expect(await asRoot("/api/v1/functions/id/polite")).toMatchObject({ is_active: true, is_global: true });
    expect(await asRoot("/api/v1/functions/id/polite/valves")).toMatchObject({ priority: 3, word: "kindly" });
  });

  test("channels with authors, times, threads and reactions; bots post under their old addresses", async () => {
    const [{ id }] = rows("SELECT id FROM channel WHERE name = 'bridge'") as [Row];
    const messages = await as<{ id: string; content: string; user_id: string }[]>(
      "bob",
      `/api/v1/channels/${id}/messages`,
    );
    for (const row of rows(`SELECT id, content FROM message WHERE channel_id = '${String(id)}' AND parent_id IS NULL`))
      expect(messages).toContainEqual(expect.objectContaining({ id: row["id"], content: row["content"] }));
    const [{ parent_id: head, content }] = rows(
      "SELECT parent_id, content FROM message WHERE parent_id IS NOT NULL",
    ) as [Row];
    expect(await as("bob", `/api/v1/channels/${id}/messages/${head}/thread`)).toContainEqual(
      expect.objectContaining({ content }),
    );
    expect(messages.find((message) => message.id === head)).toMatchObject({
      reactions: [{ name: "wave" }],
      reply_count: 1,
    });
    const [webhook] = rows("SELECT id, token FROM channel_webhook") as [Row];
    const posted = await callApi(
      parley.url,
      "",
      "POST",
      `/api/v1/channels/webhooks/${webhook["id"]}/${webhook["token"]}`,
      {
        content: "Tide at 18:40",
      },
    );
    expect(posted).toBeTruthy();
    const after = await as<{ content: string }[]>("bob", `/api/v1/channels/${id}/messages`);
    expect(after[0]).toMatchObject({ content: "Tide at 18:40" });
  });

  test("memories, and notes as files of a knowledge base", async () => {
    const memories = await as<{ id: string; content: string }[]>("bob", "/api/v1/memories/");
    expect(memories).toEqual(
      rows("SELECT id, content FROM memory").map((row) => expect.objectContaining(row) as unknown),
    );
    const bases = await as<{ items?: { name: string }[] }>("bob", "/api/v1/knowledge/");
    expect(JSON.stringify(bases)).toContain('"Notes"');
  });

  test("does not arrive a second time", async () => {
    const users = await asRoot<{ total: number }>("/api/v1/users/");
    const { code, output } = await runImport();
    expect(code).toBe(0);
    for (const kind of ["person", "chat", "channel message", "file", "knowledge"])
      expect(Object.keys(counts(output, kind)).filter((column) => counts(output, kind)[column] !== "0")).toEqual([
        "imported earlier",
      ]);
    expect((await asRoot<{ total: number }>("/api/v1/users/")).total).toBe(users.total);
  });
});
