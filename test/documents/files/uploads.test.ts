import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMemoryBlobs } from "../../memory-blobs.ts";
import { createWorld, origin, type Person, type RequestOptions, type World } from "../../world.ts";
import { fileForm, runAllJobs, upload, type UploadedView } from "./run-jobs.ts";

let world: World;
let ada: Person;
const blobs = createMemoryBlobs();
beforeAll(async () => {
  world = await createWorld({ services: { blobs } });
  ada = await world.person();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.client.execute("DELETE FROM settings");
  blobs.stored.clear();
});

const count = async (table: string) =>
  Number((await world.client.execute(`SELECT count(*) n FROM ${table}`)).rows[0]!["n"]);
const set = (name: string, value: unknown) =>
  world.client.execute({
    sql: "INSERT OR REPLACE INTO settings (name, value, updated_at) VALUES (?, ?, 0)",
    args: [name, JSON.stringify(value)],
  });
/** Bytes as they are, in pieces that end anywhere. */
async function send(body: Uint8Array | string, type: string, piece = 7) {
  const bytes = Buffer.from(body as string);
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(new Uint8Array(bytes.subarray(at, at + piece)));
      at += piece;
    },
  });
  const response = await world.request("/api/v1/files/?process=false", {
    as: ada,
    method: "POST",
    headers: { "content-type": type },
    body: stream,
    duplex: "half",
  } as RequestOptions);
  return {
    status: response.status,
    body: (await response.json()) as UploadedView & { code?: string; detail?: string },
  };
}
/** Nothing is left of what was refused: no row, no byte, nothing for a sweeper. */
async function expectNothing() {
  await world.settled();
  expect([
    await count("files"),
    await count("uploads"),
    await count("dropped_uploads"),
    blobs.stored.size,
    blobs.parts.size,
  ]).toEqual([0, 0, 0, 0, 0]);
}

describe("a form with a file", () => {
  const type = "multipart/form-data; boundary=XX";
  const part = (header: string, content: string) => `--XX\r\n${header}\r\n\r\n${content}\r\n`;
  const file = (name: string) => `Content-Disposition: form-data; name="file"; ${name}\r\nContent-Type: text/plain`;

  it.each([1, 2, 3, 5, 64, 10_000])("is read in pieces of %i bytes", async (piece) => {
    const content = "first\r\n--X\r\n--XY is no boundary\r\n\r\n-- neither\r\n--";
    const body = `preamble\r\n${part('Content-Disposition: form-data; name="metadata"', '{"a":1}')}${part(file('filename="a.txt"'), content)}--XX--\r\nepilogue`;
    const { status, body: view } = await send(body, type, piece);
    expect([status, view.meta]).toMatchObject([200, { size: content.length, data: { a: 1 } }]);
    expect(Buffer.from(blobs.stored.get(`files/${view.id}`)!).toString()).toBe(content);
    expect(view.hash).toBe(createHash("sha256").update(content).digest("hex"));
  });

  it.each([
    ['filename="t\u00efdes \u6f6e.txt"', "t\u00efdes \u6f6e.txt"],
    ["filename=plain.txt", "plain.txt"],
    ["filename=\"x\"; filename*=UTF-8''na%C3%AFve%20%E6%BD%AE.txt", "na\u00efve \u6f6e.txt"],
    ['filename="say \\"ahoy\\".txt"', 'say "ahoy".txt'],
    ['filename="say %22ahoy%22.txt"', 'say "ahoy".txt'],
    ['filename="C:\\\\ships\\\\log.txt"', "log.txt"],
    ['filename="../../etc/passwd"', "passwd"],
    ['filename=""', "file"],
    ['filename=".."', "file"],
  ])("names it by %s", async (said, name) => {
    const { body } = await send(`${part(file(said), "x")}--XX--`, type);
    expect(body.filename).toBe(name);
  });

  it.each([
    ["no form", "Ahoy", "text/plain"],
    ["JSON", "{}", "application/json"],
    ["no boundary", "--XX", "multipart/form-data"],
    ["nothing", "", type],
    ["an end in the middle", part(file('filename="a"'), "half").slice(0, -3), type],
    ["no closing boundary", part(file('filename="a"'), "whole"), type],
    ["no file", `${part('Content-Disposition: form-data; name="other"', "x")}--XX--`, type],
    ["two files", `${part(file('filename="a"'), "1")}${part(file('filename="b"'), "2")}--XX--`, type],
    ["a part without a name", `${part("Content-Type: text/plain", "x")}--XX--`, type],
    ["a header without an end", `--XX\r\n${"x".repeat(40_000)}`, type],
    [
      "metadata that is no object",
      `${part(file('filename="a"'), "1")}${part('Content-Disposition: form-data; name="metadata"', "[1]")}--XX--`,
      type,
    ],
    [
      "metadata that is no JSON",
      `${part(file('filename="a"'), "1")}${part('Content-Disposition: form-data; name="metadata"', "{")}--XX--`,
      type,
    ],
  ])("is refused for %s", async (_what, body, contentType) => {
    await world.client.execute("DELETE FROM files");
    await world.client.execute("DELETE FROM dropped_blobs");
    const { status } = await send(body, contentType);
    expect(status).toBe(400);
    await expectNothing();
  });

  it("is refused for another hash than its sender says", async () => {
    await world.client.execute("DELETE FROM files");
    const right = createHash("sha256").update("Ahoy").digest("hex");
    expect((await upload(world, ada, "Ahoy", { metadata: { file_hash: right.toUpperCase() } })).hash).toBe(right);
    await world.client.execute("DELETE FROM files");
    blobs.stored.clear();
    const form = fileForm("Ahoy!", "a.txt", { file_hash: right });
    expect((await world.call("/api/v1/files/", { as: ada, method: "POST", body: form })).status).toBe(422);
    await expectNothing();
  });
});

describe("limits of uploads", () => {
  it("end a file that is too large on its way, also one that does not say its length", async () => {
    await set("RAG_FILE_MAX_SIZE", 6);
    await world.client.execute("DELETE FROM files");
    const large = new Uint8Array(6 * 1024 * 1024 + 1);
    const form = await world.call("/api/v1/files/", { as: ada, method: "POST", body: fileForm(large, "a.bin") });
    expect(form).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
    await expectNothing();
    const head = '--XX\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
    const body = Buffer.concat([Buffer.from(head), large, Buffer.from("\r\n--XX--")]);
    expect((await send(body, "multipart/form-data; boundary=XX", 65_536)).status).toBe(413);
    await expectNothing();
    const exact = await upload(world, ada, large.slice(1), { name: "a.bin", query: "?process=false" });
    expect(exact.meta.size).toBe(6 * 1024 * 1024);
    expect(blobs.stored.get(`files/${exact.id}`)?.length).toBe(6 * 1024 * 1024);
  });

  it("are what administrators say of endings", async () => {
    await set("RAG_ALLOWED_FILE_EXTENSIONS", ["pdf", ".MD"]);
    const ask = (name: string) =>
      world.call("/api/v1/files/", { as: ada, method: "POST", body: fileForm("# A", name) });
    expect((await ask("a.md")).status).toBe(200);
    for (const name of ["a.txt", "pdf", "a.pdf.exe"]) expect(await ask(name)).toMatchObject({ status: 415 });
  });

  it("leave nothing when the sender goes away", async () => {
    await world.client.execute("DELETE FROM files");
    const head = '--XX\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ === 0) return controller.enqueue(Buffer.from(head));
        if (sent < 9) return controller.enqueue(new Uint8Array(2 * 1024 * 1024));
        controller.error(new Error("gone"));
      },
    });
    const request = new Request(`${origin}/api/v1/files/`, {
      method: "POST",
      headers: { authorization: `Bearer ${ada.token}`, "content-type": "multipart/form-data; boundary=XX" },
      body: stream,
      duplex: "half",
    } as RequestInit);
    expect((await world.app.fetch(request, world.services)).status).toBe(400);
    await expectNothing();
  });
});

describe("the bytes of a file", () => {
  it("come whole, in ranges, and not at all when they are known", async () => {
    const { id, hash } = await upload(world, ada, "0123456789", { name: "n.txt", query: "?process=false" });
    const load = (headers: Record<string, string> = {}, query = "") =>
      world.request(`/api/v1/files/${id}/content${query}`, { as: ada, headers });
    const whole = await load();
    expect([whole.status, await whole.text(), whole.headers.get("accept-ranges")]).toEqual([
      200,
      "0123456789",
      "bytes",
    ]);
    expect(whole.headers.get("content-disposition")).toMatch(/^inline/);
    expect((await load({}, "?attachment=true")).headers.get("content-disposition")).toMatch(/^attachment/);
    for (const [range, text, said] of [
      ["bytes=2-4", "234", "bytes 2-4/10"],
      ["bytes=7-", "789", "bytes 7-9/10"],
      ["bytes=-2", "89", "bytes 8-9/10"],
      ["bytes=0-99", "0123456789", "bytes 0-9/10"],
    ] as const) {
      const part = await load({ range });
      expect([part.status, await part.text(), part.headers.get("content-range")]).toEqual([206, text, said]);
      expect(part.headers.get("content-length")).toBe(String(text.length));
    }
    const behind = await load({ range: "bytes=10-" });
    expect([behind.status, behind.headers.get("content-range")]).toEqual([416, "bytes */10"]);
    for (const range of ["bytes=4-2", "lines=1-2", "bytes=1-2,4-5", "bytes=-"])
      expect((await load({ range })).status).toBe(200);
    expect((await load({ "if-none-match": `"${hash}"` })).status).toBe(304);
  });
});

describe("lists of files", () => {
  it("hold one's own, and for administrators everybody's", async () => {
    await world.client.execute("DELETE FROM files");
    const bob = await world.person({ name: "Bob" });
    for (const name of ["Tides.md", "tide_table.csv", "100%.txt"]) await upload(world, ada, name, { name });
    await upload(world, bob, "x", { name: "other.md" });
    const list = (as: Person) => world.call<{ items: UploadedView[]; total: number }>("/api/v1/files/", { as });
    expect((await list(ada)).body).toMatchObject({ total: 3, items: [{ filename: "100%.txt" }, {}, {}] });
    expect((await list(await world.admin())).body.total).toBe(4);
    expect((await world.call("/api/v1/files/count", { as: bob })).body).toBe(1);
    const search = async (filename: string) => {
      const query = new URLSearchParams({ filename }).toString();
      const { body } = await world.call<UploadedView[]>(`/api/v1/files/search?${query}`, { as: ada });
      return body.map((each) => each.filename);
    };
    expect(await search("tide*")).toEqual(["tide_table.csv", "Tides.md"]);
    expect(await search("*%*")).toEqual(["100%.txt"]);
    expect(await search("tide_table.???")).toEqual(["tide_table.csv"]);
    expect(await search("tide")).toEqual([]);
    await runAllJobs(world);
  });
});

describe("round trips", () => {
  it("of an upload are three beside who asks", async () => {
    world.roundTrips.reset();
    await upload(world, ada, "Ahoy");
    expect(world.roundTrips.count).toBe(3);
    await runAllJobs(world);
  });
});
