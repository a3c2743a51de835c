import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { anonymous } from "../../../src/access.ts";
import { auditRow, auditRowIf } from "../../../src/people/audit/audit-row.ts";
import { auditEvents } from "../../../src/people/audit/tables.ts";
import { users } from "../../../src/people/users/tables.ts";
import { createWorld, type World } from "../../world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const context = () => ({ actor: anonymous, db: world.db, now: world.services.now, requestId: "r1" });
const change = { action: "user.name_updated", targetType: "user", targetId: "u1" };
const actions = async () =>
  (await world.db.select({ id: auditEvents.targetId }).from(auditEvents)).map((row) => row.id);

describe("an audit row", () => {
  test("says who, what, when and in which request", async () => {
    const { id } = await world.admin();
    await world.call(`/api/v1/users/${id}/update`, { json: { name: "Grace H" }, as: await world.admin() });
    const [row] = await world.db.select().from(auditEvents);
    expect(row).toMatchObject({
      actorId: id,
      actorKind: "session",
      action: "user.name_updated",
      targetType: "user",
      targetId: id,
      organizationId: "00000000-0000-7000-8000-000000000001",
      detail: { from: "Grace", to: "Grace H" },
    });
    expect(row!.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(Math.abs(row!.at - world.services.now())).toBeLessThan(60);
  });

  test("is gone with the batch that fails", async () => {
    const twice = world.db.insert(users).values({
      id: "u1",
      email: "ada@harbour.example",
      name: "Ada",
      role: "user",
      organizationId: "nowhere",
      lastActiveAt: 0,
      createdAt: 0,
      updatedAt: 0,
    });
    await expect(world.db.batch([auditRow(context(), change), twice])).rejects.toThrow(/FOREIGN KEY/);
    expect(await actions()).toEqual([]);
  });

  test("behind a conditional change is written only when that changed something", async () => {
    const ada = await world.person();
    const rename = (id: string) =>
      world.db
        .update(users)
        .set({ name: "Bob" })
        .where(sql`id = ${id}`);
    await world.db.batch([
      rename("nobody"),
      auditRowIf(context(), { ...change, targetId: "nobody" }),
      rename(ada.id),
      auditRowIf(context(), { ...change, targetId: ada.id }),
    ]);
    expect(await actions()).toEqual([ada.id]);
  });

  test("may have a condition of its own", async () => {
    await world.db.batch([
      auditRowIf(context(), { ...change, targetId: "no" }, sql`1 = 0`),
      auditRowIf(context(), { ...change, targetId: "yes" }, sql`1 = 1`),
    ]);
    expect(await actions()).toEqual(["yes"]);
  });

  test("of a stranger names nobody", async () => {
    await auditRow(context(), { ...change, detail: { email: "ada@harbour.example" } });
    const [row] = await world.db.select().from(auditEvents);
    expect(row).toMatchObject({
      actorId: null,
      actorKind: "anonymous",
      organizationId: null,
      detail: { email: "ada@harbour.example" },
    });
  });
});
