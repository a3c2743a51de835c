import { afterAll, beforeAll, expect, it } from "vitest";
import type { OwnStorage, StorageReport } from "../../../src/documents/storage/schema.ts";
import { createWorld, defaultOrganizationId, type Person, type World } from "../../world.ts";
import { upload } from "../files/run-jobs.ts";

let world: World;
let admin: Person;
let ada: Person;
let bob: Person;
let harbour: string;
beforeAll(async () => {
  world = await createWorld({
    environment: {
      MAX_PERSON_STORAGE: "5",
      MAX_FILES: "0",
      MAX_ORGANIZATION_STORAGE: "20",
      MAX_SERVICE_STORAGE: "100",
    },
  });
  admin = await world.admin();
  const made = await world.call<{ id: string }>("/api/v1/organizations", {
    as: admin,
    json: { name: "Harbour", max_storage: 7 },
  });
  harbour = made.body.id;
  ada = await world.person();
  bob = await world.person({ name: "Bob", organizationId: harbour });
  await world.client.execute({ sql: "UPDATE users SET organization_role = 'admin' WHERE id = ?", args: [bob.id] });
  const cyd = await world.person({ name: "Cyd", organizationId: harbour });
  for (const [who, length] of [
    [ada, 3],
    [ada, 9],
    [ada, 5],
    [cyd, 6],
    [bob, 1],
  ] as const)
    await upload(world, who, "x".repeat(length), { name: `${length}.txt`, query: "?process=false" });
});
afterAll(() => world.close());

const own = (as: Person, query = "") => world.call<OwnStorage>(`/api/v1/storage${query}`, { as });
const report = (as: Person, query = "") => world.call<StorageReport>(`/api/v1/storage/admin${query}`, { as });

it("a person sees what they use, what they may use, and their largest files", async () => {
  const { status, body } = await own(ada);
  expect(status).toBe(200);
  expect(body).toMatchObject({ used_bytes: 17, held_bytes: 0, max_bytes: 5_000_000, file_count: 3, max_files: null });
  expect(body).toMatchObject({ chat_count: 0, max_chats: 20_000 });
  expect(body.largest_files.map(({ filename, size }) => [filename, size])).toEqual([
    ["9.txt", 9],
    ["5.txt", 5],
    ["3.txt", 3],
  ]);
  expect((await own(ada, "?limit=1")).body.largest_files).toHaveLength(1);
  world.roundTrips.reset();
  await own(ada);
  expect(world.roundTrips.count).toBe(2);
});

it("administrators see who uses most", async () => {
  const { body } = await report(admin);
  expect(body).toMatchObject({ used_bytes: 24, file_count: 5, max_bytes: 100_000_000, max_person_bytes: 5_000_000 });
  expect(body.people.slice(0, 3).map(({ name, used_bytes }) => [name, used_bytes])).toEqual([
    ["Ada", 17],
    ["Cyd", 6],
    ["Bob", 1],
  ]);
  expect(body.organizations).toMatchObject([
    { id: defaultOrganizationId, used_bytes: 17, file_count: 3, max_bytes: 20_000_000 },
    { id: harbour, used_bytes: 7, file_count: 2, max_bytes: 7_000_000 },
  ]);
  expect((await report(admin, "?limit=1")).body.people).toHaveLength(1);
});

it("administrators of an organization see that of its people only", async () => {
  const { body } = await report(bob);
  expect(body).toMatchObject({ used_bytes: 7, file_count: 2, max_bytes: 7_000_000 });
  expect(body.people.map(({ name }) => name)).toEqual(["Cyd", "Bob"]);
  expect(body.organizations.map(({ id }) => id)).toEqual([harbour]);
  expect((await report(ada)).status).toBe(403);
});

it("people are listed by what they use", async () => {
  const list = (query: string) =>
    world.call<{ users: { name: string; storage_bytes: number; file_count: number }[]; next_cursor: string }>(
      `/api/v1/users/?order_by=storage_bytes&limit=2${query}`,
      { as: admin },
    );
  const { body } = await list("");
  expect(body.users).toMatchObject([
    { name: "Ada", storage_bytes: 17, file_count: 3 },
    { name: "Cyd", storage_bytes: 6, file_count: 1 },
  ]);
  const next = await list(`&cursor=${encodeURIComponent(body.next_cursor)}`);
  expect(next.body.users.map(({ name }) => name)).toEqual(["Bob", "Grace"]);
});
