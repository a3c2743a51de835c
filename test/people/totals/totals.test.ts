import path from "node:path";
import { createClient } from "@libsql/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readMigrations } from "../../../scripts/migrate/read-migrations.ts";
import { contextWith } from "../../../src/context.ts";
import { createFile } from "../../../src/documents/files/files.ts";
import { resolveActorById } from "../../../src/people/auth/resolve-actor.ts";
import { serviceContext } from "../../../src/people/auth/service-context.ts";
import { dialogue } from "../../chat/conversations/dialogue.ts";
import { upload } from "../../documents/files/run-jobs.ts";
import { createWorld, defaultOrganizationId, type Person, type World } from "../../world.ts";

let world: World;
let admin: Person;
let ada: Person;
beforeEach(async () => {
  world = await createWorld();
  admin = await world.admin();
  ada = await world.person();
});
afterEach(() => world.close());

/** The sums as they are kept, and as counting finds them. */
async function sums() {
  const kept = await world.client.execute(
    "SELECT user_id, organization_id, bytes, held_bytes, files, chats FROM person_totals ORDER BY user_id",
  );
  const counted = await world.client.execute(`
    SELECT id AS user_id, organization_id,
      coalesce((SELECT sum(size) FROM files WHERE user_id = users.id), 0) AS bytes,
      coalesce((SELECT sum(held_bytes) FROM uploads WHERE user_id = users.id), 0) AS held_bytes,
      (SELECT count(*) FROM files WHERE user_id = users.id) AS files,
      (SELECT count(*) FROM chats WHERE user_id = users.id) AS chats
    FROM users ORDER BY id`);
  const totals = await world.client.execute(
    "SELECT scope, bytes, held_bytes, files FROM storage_totals ORDER BY scope",
  );
  const countedTotals = await world.client.execute(`
    SELECT o.id AS scope, coalesce(sum(p.bytes), 0) AS bytes, coalesce(sum(p.held_bytes), 0) AS held_bytes, coalesce(sum(p.files), 0) AS files
    FROM organizations o LEFT JOIN person_totals p ON p.organization_id = o.id GROUP BY o.id
    UNION ALL SELECT 'service', sum(bytes), sum(held_bytes), sum(files) FROM person_totals ORDER BY scope`);
  return { kept: [kept.rows, totals.rows], counted: [counted.rows, countedTotals.rows] };
}
async function expectTrue() {
  await world.settled();
  const { kept, counted } = await sums();
  expect(kept).toEqual(counted);
  return kept;
}
const of = async (scope: string) =>
  (await world.client.execute({ sql: "SELECT bytes, files FROM storage_totals WHERE scope = ?", args: [scope] }))
    .rows[0];
const ownOf = async ({ id }: Person) =>
  (
    await world.client.execute({
      sql: "SELECT bytes, held_bytes, files, chats FROM person_totals WHERE user_id = ?",
      args: [id],
    })
  ).rows[0];

describe("the sums of a person", () => {
  it("follow files and chats, also those that go with something else", async () => {
    const { id } = await upload(world, ada, "seven b");
    await upload(world, ada, "four", { query: "?process=false" });
    const { body: chat } = await world.call<{ id: string }>("/api/v1/chats/new", {
      as: ada,
      json: { chat: dialogue() },
    });
    const { actor } = await resolveActorById(world.services, { userId: ada.id, kind: "session", id: ada.sessionId });
    const ctx = contextWith(await serviceContext(world.services), { actor });
    const made = { name: "a.txt", contentType: "text/plain", bytes: new Uint8Array(100), chatId: chat.id };
    await createFile(ctx, made);
    expect(await ownOf(ada)).toMatchObject({ bytes: 111, held_bytes: 0, files: 3, chats: 1 });
    await expectTrue();
    await world.call(`/api/v1/chats/${chat.id}`, { as: ada, method: "DELETE" });
    expect(await ownOf(ada)).toMatchObject({ bytes: 11, files: 2, chats: 0 });
    await world.call(`/api/v1/files/${id}`, { as: ada, method: "DELETE" });
    expect(await ownOf(ada)).toMatchObject({ bytes: 4, files: 1 });
    await expectTrue();
  });

  it("hold what an upload in parts will need, until it is a file or cancelled", async () => {
    const begin = () =>
      world.call<{ id: string }>("/api/v1/files/uploads", {
        as: ada,
        json: { filename: "a.bin", size: 1000, process: false },
      });
    const { body: first } = await begin();
    const { body: second } = await begin();
    expect(await ownOf(ada)).toMatchObject({ bytes: 0, held_bytes: 2000 });
    await world.call(`/api/v1/files/uploads/${second.id}`, { as: ada, method: "DELETE" });
    expect(await ownOf(ada)).toMatchObject({ held_bytes: 1000 });
    const path = `/api/v1/files/uploads/${first.id}`;
    await world.call(`${path}/parts/1`, { as: ada, method: "PUT", body: new Uint8Array(1000) });
    expect((await world.call(`${path}/complete`, { as: ada, method: "POST" })).status).toBe(200);
    expect(await ownOf(ada)).toMatchObject({ bytes: 1000, held_bytes: 0, files: 1 });
    await expectTrue();
  });

  it("are true when many change them at once", async () => {
    const bob = await world.person({ name: "Bob" });
    const files = await Promise.all(
      Array.from({ length: 20 }, (_, at) => upload(world, at % 2 ? ada : bob, "x".repeat(at + 1))),
    );
    await Promise.all(
      files.map(({ id }, at) =>
        at % 3 === 0
          ? world.call(`/api/v1/files/${id}`, { as: admin, method: "DELETE" })
          : upload(world, at % 2 ? bob : ada, "again"),
      ),
    );
    const [people] = await expectTrue();
    expect(people!.map((row) => row["files"])).toContain(13);
  });
});

describe("the sums of an organization", () => {
  it("go along with people who move or are deleted", async () => {
    const { body: harbour } = await world.call<{ id: string }>("/api/v1/organizations", {
      as: admin,
      json: { name: "Harbour" },
    });
    const bob = await world.person({ name: "Bob" });
    await upload(world, ada, "12345");
    await upload(world, bob, "123");
    expect(await of(defaultOrganizationId)).toMatchObject({ bytes: 8, files: 2 });
    await world.call(`/api/v1/organizations/${harbour.id}/members`, { as: admin, json: { user_ids: [ada.id] } });
    expect([await of(defaultOrganizationId), await of(harbour.id), await of("service")]).toMatchObject([
      { bytes: 3, files: 1 },
      { bytes: 5, files: 1 },
      { bytes: 8, files: 2 },
    ]);
    await upload(world, ada, "67890");
    await expectTrue();
    await world.call(`/api/v1/users/${ada.id}`, { as: admin, method: "DELETE" });
    expect([await of(harbour.id), await of("service")]).toMatchObject([
      { bytes: 0, files: 0 },
      { bytes: 3, files: 1 },
    ]);
    await expectTrue();
    await world.call(`/api/v1/organizations/${harbour.id}`, { as: admin, method: "DELETE" });
    expect(await of(harbour.id)).toBeUndefined();
    await expectTrue();
  });

  it("go along when a file gets another owner or another size", async () => {
    const bob = await world.person({ name: "Bob" });
    const { id } = await upload(world, ada, "12345");
    await world.client.execute({ sql: "UPDATE files SET user_id = ?, size = 7 WHERE id = ?", args: [bob.id, id] });
    expect(await ownOf(bob)).toMatchObject({ bytes: 7, files: 1 });
    await expectTrue();
  });
});

it("what there was before is counted by the migration", async () => {
  const client = createClient({ url: ":memory:" });
  const migrations = readMigrations(path.resolve(import.meta.dirname, "../../../migrations"));
  const first = migrations.findIndex(({ name }) => name.startsWith("0051"));
  const run = async (list: typeof migrations) => {
    for (const { statements } of list) await client.batch(statements, "write");
  };
  await run(migrations.slice(0, first));
  const now = "0, 0, 0";
  await client.executeMultiple(`
    INSERT INTO users (id, email, name, role, organization_id, last_active_at, created_at, updated_at)
    VALUES ('ada', 'ada@x', 'Ada', 'user', '${defaultOrganizationId}', ${now}), ('bob', 'bob@x', 'Bob', 'user', '${defaultOrganizationId}', ${now});
    INSERT INTO files (id, user_id, filename, content_type, size, created_at) VALUES ('f1', 'ada', 'a', 't', 5, 0), ('f2', 'ada', 'b', 't', 6, 0);
    INSERT INTO chats (id, user_id, organization_id, title, models, params, meta, variables, extra, created_at, updated_at)
    VALUES ('c1', 'ada', '${defaultOrganizationId}', '', '[]', '{}', '{}', '{}', '{}', 0, 0);
    INSERT INTO uploads (id, user_id, key, storage_id, filename, content_type, size, part_size, meta, created_at, expires_at)
    VALUES ('u1', 'bob', 'k', 's', 'f', '', 40, 8, '{}', 0, 9);
    INSERT INTO jobs (id, kind, subject, turn, due_at, deadline, created_at) VALUES ('j1', 'extract', 'f1', 7, 0, 9, 0);
  `);
  await run(migrations.slice(first));
  const rowsOf = async (sql: string) => (await client.execute(sql)).rows.map((row) => ({ ...row }));
  expect(await rowsOf("SELECT user_id, bytes, held_bytes, files, chats FROM person_totals ORDER BY user_id")).toEqual([
    { user_id: "ada", bytes: 11, held_bytes: 0, files: 2, chats: 1 },
    { user_id: "bob", bytes: 0, held_bytes: 40, files: 0, chats: 0 },
  ]);
  expect(await rowsOf("SELECT bytes, held_bytes, files FROM storage_totals")).toEqual(
    Array.from({ length: 2 }, () => ({ bytes: 11, held_bytes: 40, files: 2 })),
  );
  expect(await rowsOf("SELECT kind, turn FROM job_turns")).toEqual([{ kind: "extract", turn: 6 }]);
  client.close();
});
