import { afterAll, beforeAll, expect, it } from "vitest";
import { settings } from "../../../src/db/tables.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { runAllJobs, upload, uploadAndRead } from "./run-jobs.ts";

let world: World;
let ada: Person;
let bob: Person;
let cyd: Person;
beforeAll(async () => {
  world = await createWorld();
  ada = await world.person();
  bob = await world.person({ name: "Bob" });
  cyd = await world.person({ name: "Cyd" });
  const value = { workspace: { knowledge: true }, sharing: { knowledge: true, public_knowledge: true } };
  await world.db.insert(settings).values({ name: "permissions.default", value, updatedAt: 0 });
});
afterAll(() => world.close());

const status = async (as: Person, method: string, path: string, json?: unknown) =>
  (await world.call(`/api/v1/files/${path}`, { as, ...(json === undefined ? {} : { json }), method })).status;
const share = (id: string, grants: [Person, "read" | "write"][]) =>
  world.call(`/api/v1/knowledge/${id}/access/update`, {
    as: ada,
    json: {
      access_grants: grants.map(([{ id: who }, permission]) => ({
        principal_type: "user",
        principal_id: who,
        permission,
      })),
    },
  });

it("is given by the bases that hold a file, as far as they are shared, until the next request", async () => {
  const file = await uploadAndRead(world, ada, "# Shared\n\nFor those who may.", "shared.md");
  const made = await world.call<{ id: string }>("/api/v1/knowledge/create", {
    as: ada,
    json: { name: "Base", description: "" },
  });
  const base = made.body.id;
  expect((await world.call(`/api/v1/knowledge/${base}/file/add`, { as: ada, json: { file_id: file } })).status).toBe(
    200,
  );
  const chunk = Number((await world.client.execute("SELECT number FROM file_chunks")).rows[0]!["number"]);
  const reads = [
    file,
    `${file}/content`,
    `${file}/data/content`,
    `${file}/process/status`,
    `${file}/passages/${chunk}`,
  ];
  const writes: [string, string, unknown][] = [
    ["POST", `${file}/rename`, { filename: "renamed.md" }],
    ["POST", `${file}/process`, {}],
    ["POST", `${file}/data/content/update`, { content: "Changed" }],
  ];
  for (const path of reads) expect([path, await status(bob, "GET", path)]).toEqual([path, 404]);
  for (const [method, path, json] of writes) expect(await status(bob, method, path, json)).toBe(404);

  expect(
    (
      await share(base, [
        [bob, "read"],
        [cyd, "write"],
      ])
    ).status,
  ).toBe(200);
  for (const path of reads) expect([path, await status(bob, "GET", path)]).toEqual([path, 200]);
  for (const [method, path, json] of writes) expect([path, await status(bob, method, path, json)]).toEqual([path, 403]);
  for (const [method, path, json] of writes) expect([path, await status(cyd, method, path, json)]).toEqual([path, 200]);
  await runAllJobs(world);
  for (const person of [bob, cyd]) expect(await status(person, "DELETE", file)).toBe(403);
  // It is still Ada's alone in the list.
  for (const [person, count] of [
    [ada, 1],
    [bob, 0],
  ] as const)
    expect((await world.call("/api/v1/files/count", { as: person })).body).toBe(count);

  await share(base, []);
  for (const path of reads) expect([path, await status(bob, "GET", path)]).toEqual([path, 404]);
});

it("of people without the right to upload is to read only", async () => {
  const value = { chat: { file_upload: false } };
  await world.db.update(settings).set({ value });
  const form = new FormData();
  form.append("file", new File(["x"], "a.txt"));
  expect((await world.call("/api/v1/files/", { as: bob, method: "POST", body: form })).status).toBe(403);
  expect(await status(bob, "POST", "uploads", { filename: "a.txt", size: 1 })).toBe(403);
  expect((await upload(world, await world.admin(), "x")).status).toBe(true);
  await runAllJobs(world);
});

it("to a file goes to the base that its upload names, once it has a text", async () => {
  await world.db.update(settings).set({ value: { workspace: { knowledge: true } } });
  const { body: base } = await world.call<{ id: string }>("/api/v1/knowledge/create", {
    as: ada,
    json: { name: "Inbox", description: "" },
  });
  const held = async () =>
    (await world.client.execute({ sql: "SELECT file_id FROM knowledge_files WHERE knowledge_id = ?", args: [base.id] }))
      .rows;
  const { id } = await upload(world, ada, "For the inbox", { name: "in.md", metadata: { knowledge_id: base.id } });
  expect(await held()).toEqual([]);
  await runAllJobs(world);
  expect((await held()).map((row) => row["file_id"])).toEqual([id]);
  const foreign = new FormData();
  foreign.append("metadata", JSON.stringify({ knowledge_id: base.id }));
  foreign.append("file", new File(["x"], "a.txt"));
  expect((await world.call("/api/v1/files/", { as: cyd, method: "POST", body: foreign })).status).toBe(404);
  expect((await world.client.execute("SELECT * FROM uploads")).rows).toEqual([]);
});
