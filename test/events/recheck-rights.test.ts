import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HeldCredential } from "../../src/access.ts";
import { servicesWith } from "../../src/context.ts";
import { findRefused } from "../../src/events/recheck-rights.ts";
import { newId } from "../../src/lib/id.ts";
import { connections } from "../../src/models/connections/tables.ts";
import { hashApiKey } from "../../src/people/auth/api-keys/hash-api-key.ts";
import { apiKeys } from "../../src/people/auth/api-keys/tables.ts";
import { organizations } from "../../src/people/organizations/tables.ts";
import { users } from "../../src/people/users/tables.ts";
import { createWorld, type Person, type World } from "../world.ts";

let world: World;
let ada: Person;
let session: HeldCredential;
beforeEach(async () => {
  world = await createWorld({ environment: { ENABLE_API_KEYS: "true" } });
  ada = await world.person();
  session = { userId: ada.id, kind: "session", id: ada.sessionId };
});
afterEach(() => world.close());

const codes = async (...open: { credential: HeldCredential; model?: string }[]) => {
  const refused = await findRefused(world.services, open);
  return open.map((each) => refused.get(each)?.code);
};

async function connect(modelIds: string[], organizationId: string | null = null) {
  const [id, now] = [newId(), world.services.now()];
  const baseUrl = "http://127.0.0.1:1/v1";
  await world.db.insert(connections).values({
    id,
    kind: "openai",
    name: id,
    baseUrl,
    organizationId,
    modelIds,
    tags: [],
    createdAt: now,
    updatedAt: now,
  });
}

test("what its person may still have stays open", async () => {
  expect(await codes({ credential: session }, { credential: session, model: "parley-guide" })).toEqual([
    undefined,
    undefined,
  ]);
});

test("much that hangs on one credential costs one look-up, and one for the catalogue", async () => {
  await connect(["ships"]);
  world.roundTrips.reset();
  const open = Array.from({ length: 20 }, () => ({ credential: session, model: "ships" }));
  expect(await codes(...open)).toEqual(open.map(() => undefined));
  expect(world.roundTrips.count).toBe(2);
});

test("each reason is told", async () => {
  const waiting = await world.person({ role: "pending" });
  const off = await world.person({ active: false });
  const credential = ({ id, sessionId }: Person): HeldCredential => ({ userId: id, kind: "session", id: sessionId });
  const model = "parley-guide";
  expect(
    await codes(
      { credential: { ...session, id: newId() } },
      { credential: { ...session, userId: off.id } },
      { credential: credential(off) },
      { credential: credential(waiting) },
      { credential: credential(waiting), model },
      { credential: session, model: "nothing" },
    ),
  ).toEqual(["session_ended", "session_ended", "account_inactive", undefined, "account_pending", "model_not_found"]);
  await world.db.update(organizations).set({ active: false });
  expect(await codes({ credential: session })).toEqual(["organization_inactive"]);
});

test("a key that its person may not use now ends what it opened", async () => {
  const now = world.services.now();
  const key: HeldCredential = { userId: ada.id, kind: "api-key", id: newId() };
  const hash = await hashApiKey("sk-secret");
  await world.db.insert(apiKeys).values({ id: key.id, userId: ada.id, name: "bot", hash, createdAt: now });
  expect(await codes({ credential: key })).toEqual(["key_not_allowed"]);
  await world.db.update(users).set({ role: "admin" }).where(eq(users.id, ada.id));
  expect(await codes({ credential: key })).toEqual([undefined]);
  await world.db.delete(apiKeys);
  expect(await codes({ credential: key })).toEqual(["session_ended"]);
});

test("a provider that is out of reach takes nobody's right away", async () => {
  await connect([]);
  expect(await codes({ credential: session, model: "ships" })).toEqual([undefined]);
});

test("the models of another organization's connection end for those who leave it", async () => {
  const [id, now] = [newId(), world.services.now()];
  await world.db.insert(organizations).values({ id, name: "Harbour", features: {}, createdAt: now, updatedAt: now });
  await connect(["common"]);
  await connect(["ships"], id);
  await world.db.update(users).set({ organizationId: id }).where(eq(users.id, ada.id));
  expect(await codes({ credential: session, model: "ships" })).toEqual([undefined]);
  await world.db
    .update(users)
    .set({ organizationId: "00000000-0000-7000-8000-000000000001" })
    .where(eq(users.id, ada.id));
  expect(await codes({ credential: session, model: "ships" }, { credential: session, model: "common" })).toEqual([
    "model_not_found",
    undefined,
  ]);
});

test("a database that is away decides nothing", async () => {
  const services = servicesWith(world.services, { lookup: () => Promise.reject(new Error("away")) });
  await expect(findRefused(services, [{ credential: session }])).rejects.toThrow("away");
});
