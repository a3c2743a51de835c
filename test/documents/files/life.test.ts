import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { servicesWith } from "../../../src/context.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { type Content, fileForm, runAllJobs, upload, uploadAndRead, type UploadedView } from "./run-jobs.ts";

let world: World;
let ada: Person;
let bob: Person;
beforeAll(async () => {
  world = await createWorld();
  ada = await world.person();
  bob = await world.person({ name: "Bob" });
});
afterAll(() => world.close());

const get = <T = UploadedView>(path: string, as = ada) => world.call<T>(`/api/v1/files/${path}`, { as });
const post = <T = UploadedView>(path: string, json: unknown, as = ada) =>
  world.call<T>(`/api/v1/files/${path}`, { as, json });
const rows = async (sql: string, ...args: string[]) => (await world.client.execute({ sql, args })).rows;
const chunksOf = async (id: string) =>
  (
    await rows(
      "SELECT c.text FROM file_chunks c JOIN files f ON f.id = c.file_id AND f.version = c.version WHERE f.id = ?",
      id,
    )
  ).map(({ text }) => text);

describe("an uploaded file", () => {
  it("is pending at once, and completed when it has been read", async () => {
    const file = await upload(world, ada, "# Tides\n\nHigh water at noon.", {
      name: "tides.md",
      metadata: { from: "pilot" },
    });
    expect(file).toMatchObject({
      status: true,
      user_id: ada.id,
      filename: "tides.md",
      data: { status: "pending", stage: "waiting", progress: null },
      meta: { name: "tides.md", content_type: "text/markdown", size: 28, data: { from: "pilot" } },
      url: `/api/v1/files/${file.id}/content`,
    });
    expect(file.hash).toMatch(/^[0-9a-f]{64}$/);
    expect((await get(`${file.id}/process/status`)).body).toEqual({
      status: "pending",
      stage: "waiting",
      progress: null,
    });
    await runAllJobs(world);
    expect((await get(`${file.id}/process/status`)).body).toEqual({ status: "completed", stage: null, progress: null });
    const { body } = await get<{ data: Record<string, unknown>; meta: { chunks: number } }>(file.id);
    expect(body.data).toEqual({
      status: "completed",
      stage: null,
      progress: null,
      content: "# Tides\n\nHigh water at noon.",
    });
    expect(body.meta.chunks).toBe(1);
    const { body: bare } = await get<{ data: unknown }>(`${file.id}?content=false`);
    expect(bare).toEqual({ ...body, data: { status: "completed", stage: null, progress: null } });
    expect(await rows("SELECT * FROM jobs")).toEqual([]);
    expect(await rows("SELECT * FROM uploads")).toEqual([]);
    const said = world.live.published.filter(({ event }) => event.data.type === "file:status");
    expect(said.at(-1)).toMatchObject({
      userId: ada.id,
      event: { data: { data: { id: file.id, status: "completed" } } },
    });
  });

  it("is only stored with process=false, until somebody asks", async () => {
    const file = await upload(world, ada, "Kept as it is", { query: "?process=false" });
    expect(file.status).toBeUndefined();
    expect(file.data).toMatchObject({ status: "pending", code: "file_not_processed" });
    await runAllJobs(world);
    expect((await get(`${file.id}/process/status`)).body).toMatchObject({ code: "file_not_processed" });
    const asked = await post(`${file.id}/process`, {});
    expect(asked.body.data).toEqual({ status: "pending", stage: "waiting", progress: null });
    await runAllJobs(world);
    expect((await get(`${file.id}/process/status`)).body).toMatchObject({ status: "completed" });
  });

  it("answers with its end when it is not to be read in the background", async () => {
    const answer = world.call<UploadedView>("/api/v1/files/?process_in_background=false", {
      as: ada,
      method: "POST",
      body: fileForm("Awaited"),
    });
    let isAnswered = false;
    void answer.then(() => (isAnswered = true));
    for (;;) {
      await runAllJobs(world);
      if (isAnswered) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await answer).body).toMatchObject({ status: true, data: { status: "completed" } });
  });

  it("fails with a reason where there is nothing to read", async () => {
    const cases: [Content, string, string][] = [
      ["", "empty.txt", "file_empty"],
      ["  \n\t ", "blank.txt", "file_no_text"],
      [Buffer.concat([Buffer.from("\x7fELF\x02\x01\x01"), Buffer.alloc(300)]), "what.bin", "file_unsupported"],
    ];
    for (const [content, name, code] of cases) {
      const id = await uploadAndRead(world, ada, content, name);
      const { body } = await get(`${id}/process/status`);
      expect(body).toMatchObject({ status: "failed", stage: null, code, error: expect.stringMatching(/\w{4}/) });
      expect(await rows("SELECT * FROM file_texts WHERE file_id = ?", id)).toEqual([]);
    }
    expect(await rows("SELECT * FROM jobs")).toEqual([]);
  });

  it("keeps its old text while it is read again, and after that has failed", async () => {
    const id = await uploadAndRead(world, ada, "The old berth");
    const broken = servicesWith(world.services, {
      extractor: { ...world.services.extractor, extract: () => failing() },
    });
    await post(`${id}/process`, {});
    expect(await chunksOf(id)).toEqual(["The old berth"]);
    const { runJobs } = await import("../../../src/jobs/run-jobs.ts");
    await runJobs(broken, "extract");
    expect((await get(`${id}/process/status`)).body).toMatchObject({
      status: "failed",
      code: "file_corrupt",
      error: "Damaged",
    });
    expect(await chunksOf(id)).toEqual(["The old berth"]);
    await post(`${id}/process`, {});
    await runAllJobs(world);
    expect((await get(`${id}/process/status`)).body).toMatchObject({ status: "completed" });
    expect(await chunksOf(id)).toEqual(["The old berth"]);
    expect(await rows("SELECT version FROM file_texts WHERE file_id = ?", id)).toHaveLength(1);
  });

  it("takes a text from somebody in the place of its own, all at once", async () => {
    const id = await uploadAndRead(world, ada, "The old berth");
    const updated = await post(`${id}/data/content/update`, { content: "A new berth \ud83d" });
    expect(updated.body).toMatchObject({ id, data: { status: "pending" } });
    expect(await chunksOf(id)).toEqual(["The old berth"]);
    await runAllJobs(world);
    expect(await chunksOf(id)).toEqual(["A new berth \ufffd"]);
    expect((await get<{ content: string }>(`${id}/data/content`)).body).toEqual({ content: "A new berth \ufffd" });
    const { body } = await get<{ content: string }>(`${id}/data/content?start=2&end=5`);
    expect(body).toEqual({ content: "new", start: 2, end: 5, length: 13 });
    expect((await post(`${id}/data/content/update`, { content: " \n" })).status).toBe(400);
    expect((await post(`${id}/data/content/update`, { content: "Mine" }, bob)).status).toBe(404);
  });

  it("is renamed and deleted with all that was made of it", async () => {
    const id = await uploadAndRead(world, ada, "To be forgotten", "a.md");
    const renamed = await post(`${id}/rename`, { filename: "../b\u0000.md" });
    expect(renamed.body).toMatchObject({ filename: "b.md", meta: { name: "b.md" } });
    for (const [method, path] of [
      ["DELETE", id],
      ["POST", `${id}/process`],
    ] as const)
      expect((await world.call(`/api/v1/files/${path}`, { as: bob, method })).status).toBe(404);
    expect((await world.call(`/api/v1/files/${id}`, { as: ada, method: "DELETE" })).status).toBe(200);
    expect((await get(id)).status).toBe(404);
    const { sweep } = await import("../../../src/compose/sweep.ts");
    await sweep(world.services);
    for (const table of ["file_texts", "file_chunks"])
      expect(await rows(`SELECT * FROM ${table} WHERE file_id = ?`, id)).toEqual([]);
    expect(await rows("SELECT * FROM dropped_blobs")).toEqual([]);
    const { stored } = world.services.blobs as unknown as { stored: Map<string, unknown> };
    expect([...stored.keys()].filter((key) => key.includes(id))).toEqual([]);
  });

  it("ends its reading when it is deleted on the way", async () => {
    const { id } = await upload(world, ada, "Going, gone");
    await world.call(`/api/v1/files/${id}`, { as: ada, method: "DELETE" });
    await runAllJobs(world);
    expect(await rows("SELECT * FROM jobs")).toEqual([]);
    expect(await rows("SELECT * FROM file_chunks WHERE file_id = ?", id)).toEqual([]);
  });
});

describe("the status as a stream", () => {
  const stream = (id: string, as = ada) => world.request(`/api/v1/files/${id}/process/status?stream=true`, { as });
  const frames = (text: string) =>
    text
      .split("\n\n")
      .filter((frame) => frame.startsWith("data: "))
      .map((frame) => JSON.parse(frame.slice(6)) as { status: string; stage: string | null; code?: string });

  it("says the current state first, each change, and ends with the last", async () => {
    const { id } = await upload(world, ada, "Watched", { name: "watched.md" });
    const response = await stream(id);
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const reader = response.body!.getReader();
    const first = new TextDecoder().decode((await reader.read()).value);
    expect(frames(first)).toEqual([{ status: "pending", stage: "waiting", progress: null }]);
    await runAllJobs(world);
    let rest = "";
    for (let read = await reader.read(); !read.done; read = await reader.read())
      rest += new TextDecoder().decode(read.value);
    expect(frames(rest).at(-1)).toEqual({ status: "completed", stage: null, progress: null });
    expect(frames(await (await stream(id)).text())).toEqual([{ status: "completed", stage: null, progress: null }]);
  });

  it("is one frame where nobody asked, 404 where there is nothing, and ends when the file goes", async () => {
    const stored = await upload(world, ada, "Only kept", { query: "?process=false" });
    expect(frames(await (await stream(stored.id)).text())).toMatchObject([{ code: "file_not_processed" }]);
    expect((await stream(stored.id, bob)).status).toBe(404);
    const { id } = await upload(world, ada, "Going");
    const reader = (await stream(id)).body!.getReader();
    await reader.read();
    await world.call(`/api/v1/files/${id}`, { as: ada, method: "DELETE" });
    expect((await reader.read()).done).toBe(true);
    await runAllJobs(world);
  });
});

describe("the sweeper", () => {
  it("ends what is pending and nobody's, and takes texts away that were begun and left", async () => {
    const { id } = await upload(world, ada, "Lost");
    await world.client.execute({ sql: "DELETE FROM jobs WHERE subject = ?", args: [id] });
    await world.client.execute({
      sql: "INSERT INTO file_texts (file_id, version, created_at) VALUES (?, 1, 0)",
      args: [id],
    });
    const { sweep } = await import("../../../src/compose/sweep.ts");
    await sweep(world.services);
    expect((await get(`${id}/process/status`)).body).toMatchObject({ status: "pending" });
    world.advance(601);
    await sweep(world.services);
    await sweep(world.services);
    expect((await get(`${id}/process/status`)).body).toMatchObject({ status: "failed", code: "internal_error" });
    expect(await rows("SELECT * FROM file_texts WHERE file_id = ?", id)).toEqual([]);
  });
});

it("a text that is the same as its file is stored once, any other beside it", async () => {
  const { sweep } = await import("../../../src/compose/sweep.ts");
  const textOf = async (id: string) => (await get<{ data: { content?: string } }>(id)).body.data.content;
  const isStored = async (key: string) => (await world.services.blobs.get(key)) !== undefined;
  const same = await uploadAndRead(world, ada, "Ebb at one.", "ebb.txt");
  const other = await uploadAndRead(world, ada, "\uFEFFFlood at seven.", "flood.txt");
  await sweep(world.services);
  expect([await textOf(same), await textOf(other)]).toEqual(["Ebb at one.", "Flood at seven."]);
  expect(await rows("SELECT * FROM dropped_uploads")).toEqual([]);
  expect(await isStored(`files/${same}/text/1`)).toBe(false);
  expect(await isStored(`files/${other}/text/1`)).toBe(true);
  // Another text, and its own once more.
  expect((await post(`${same}/data/content/update`, { content: "Ebb at two." })).status).toBe(200);
  await runAllJobs(world);
  await sweep(world.services);
  expect(await textOf(same)).toBe("Ebb at two.");
  await post(`${same}/data/content/update`, { content: "Ebb at one." });
  await runAllJobs(world);
  await sweep(world.services);
  expect(await textOf(same)).toBe("Ebb at one.");
});

async function* failing() {
  yield { type: "kind", contentType: "text/plain", unit: "bytes", total: 13 } as const;
  yield { type: "text", text: "The", page: null, label: null } as const;
  yield { type: "failed", code: "file_corrupt", message: "Damaged" } as const;
}
