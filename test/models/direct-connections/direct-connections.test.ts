import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TrialResult } from "../../../src/models/connections/schema.ts";
import { maxDirectConnections } from "../../../src/models/direct-connections/direct-connections.ts";
import type { DirectConnectionView } from "../../../src/models/direct-connections/schema.ts";
import { directConnections } from "../../../src/models/direct-connections/tables.ts";
import { auditEvents } from "../../../src/people/audit/tables.ts";
import { organizations } from "../../../src/people/organizations/tables.ts";
import { defaultOrganizationId } from "../../world.ts";
import { listing, startProvider } from "../provider.ts";
import { base, directWorld, key, type DirectWorld, type Problem } from "./direct-world.ts";

let here: DirectWorld;
beforeEach(async () => {
  here = await directWorld();
});
afterEach(() => here.close());

const patch = (id: string, json: unknown, as = here.ada) =>
  here.world.call<DirectConnectionView & Problem>(`${base}/${id}`, { as, method: "PATCH", json });
const verify = (json: unknown, as = here.ada) => here.world.call<TrialResult & Problem>(`${base}/verify`, { as, json });
const remove = (id: string, as = here.ada) => here.world.call(`${base}/${id}`, { as, method: "DELETE" });

describe("a person's own connections", () => {
  test("are made, changed and deleted; the key is sealed and comes back in no answer, log or audit row", async () => {
    const made = await here.connect();
    expect(made).toMatchObject({
      name: new URL(here.provider.origin).host,
      has_key: true,
      usable: true,
      kind: "openai",
    });
    const [row] = await here.world.db.select().from(directConnections);
    expect(row!.sealedKey).not.toContain(key);
    expect(row).toMatchObject({ userId: here.ada.id, prefixId: "mine" });

    const { body: changed } = await patch(made.id, { name: "My harbour", model_ids: ["tide", "tide"], prefix_id: "" });
    expect(changed).toMatchObject({ name: "My harbour", model_ids: ["tide"], prefix_id: "", has_key: true });
    expect((await patch(made.id, { key: "" })).body).toMatchObject({ has_key: false, name: "My harbour" });
    expect((await patch(made.id, { key: "sk-another" })).body).toMatchObject({ has_key: true });
    expect((await patch(made.id, {})).status).toBe(422);

    expect((await remove(made.id)).status).toBe(200);
    expect((await remove(made.id)).status).toBe(404);
    expect(await here.own()).toEqual({ allowed: true, connections: [] });

    const audited = await here.world.db.select().from(auditEvents).where(eq(auditEvents.targetId, made.id));
    expect(audited.map(({ action }) => action).toSorted()).toEqual([
      "direct_connection.created",
      "direct_connection.deleted",
      ...Array.from({ length: 3 }, () => "direct_connection.updated"),
    ]);
    const told = JSON.stringify([audited, here.world.logged, made, changed]);
    for (const secret of [key, "sk-another"]) expect(told).not.toContain(secret);
  });

  test("are nobody else's: not of a colleague, and not of an administrator", async () => {
    const { id } = await here.connect();
    for (const as of [here.bo, await here.world.admin()]) {
      expect((await here.own(as)).connections).toEqual([]);
      expect((await here.world.call(`${base}/${id}`, { as })).status).toBe(404);
      expect((await patch(id, { name: "Taken" }, as)).status).toBe(404);
      expect((await verify({ id }, as)).status).toBe(404);
      expect((await remove(id, as)).status).toBe(404);
    }
    expect((await here.own()).connections).toMatchObject([{ id, name: new URL(here.provider.origin).host }]);
  });

  test("have public addresses, and no more than so many", async () => {
    for (const base_url of [
      "http://10.0.0.1/v1",
      "http://localhost:11434",
      "http://[::1]/v1",
      "http://169.254.169.254",
    ]) {
      expect(await here.connect({ base_url }), base_url).toMatchObject({ code: "address_not_allowed" });
      expect((await verify({ base_url })).body, base_url).toMatchObject({ code: "address_not_allowed" });
    }
    for (const base_url of ["file:///etc/passwd", "https://name:secret@models.example/v1", "models", ""])
      expect(await here.connect({ base_url }), base_url).toMatchObject({ code: "validation_failed" });
    expect(await here.connect({ kind: "local" })).toMatchObject({ code: "validation_failed" });
    expect(await here.connect({ prefix_id: "a/b" })).toMatchObject({ code: "validation_failed" });
    expect(await here.connect({ key: "two words" })).toMatchObject({ code: "validation_failed" });
    const many = await Promise.all(
      Array.from({ length: maxDirectConnections + 3 }, () => here.connect({ base_url: "https://models.invalid" })),
    );
    expect(many.filter(({ code }) => code === "limit_reached")).toHaveLength(3);
    expect((await here.own()).connections).toHaveLength(maxDirectConnections);
  });

  test("are tested with what is saved for the rest", async () => {
    const { id } = await here.connect();
    expect((await verify({ id })).body).toMatchObject({ ok: true, models: ["tide", "reef"] });
    expect(here.provider.headers.at(-1)).toMatchObject({ authorization: `Bearer ${key}` });
    const other = await startProvider(listing("ebb"));
    expect((await verify({ id, base_url: other.origin, key: "" })).body).toMatchObject({
      ok: true,
      models: ["ebb"],
      base_url: `${other.origin}/v1`,
    });
    expect(other.headers.at(-1)).not.toHaveProperty("authorization");
    await other.close();
    expect((await verify({ base_url: other.origin })).body).toMatchObject({ ok: false, reason: "refused" });
    expect((await verify({})).body).toMatchObject({ code: "validation_failed" });
    expect((await here.own()).connections).toMatchObject([{ status: { state: "ok", model_count: 2 } }]);
  });

  test("are closed by the service, the permission and the organization; one can still see and delete them", async () => {
    const made = await here.connect();
    const closed = async () => {
      const { allowed, connections } = await here.own();
      expect([allowed, connections[0]!.usable]).toEqual([false, false]);
      expect(await here.connect()).toMatchObject({ code: "forbidden" });
      expect((await patch(made.id, { name: "x" })).status).toBe(403);
      expect((await verify({ id: made.id })).status).toBe(403);
      expect((await here.listed()).map(({ id }) => id)).toEqual(["tide"]);
      expect(await here.ask("direct.mine.tide")).toMatchObject({
        status: 404,
        body: { error: { code: "model_not_found" } },
      });
    };
    const open = async () => expect((await here.listed()).map(({ id }) => id)).toContain("direct.mine.tide");
    const features = (value: Record<string, boolean>) =>
      here.world.db.update(organizations).set({ features: value }).where(eq(organizations.id, defaultOrganizationId));

    await open();
    await here.set("ENABLE_DIRECT_CONNECTIONS", false);
    await closed();
    await here.set("ENABLE_DIRECT_CONNECTIONS", true);
    await here.set("permissions.default", { features: { direct_connections: false } });
    await closed();
    await here.set("permissions.default", {});
    await features({ direct_connections: false });
    await closed();
    await features({});
    await open();
    await here.set("ENABLE_DIRECT_CONNECTIONS", false);
    expect((await remove(made.id)).status).toBe(200);
  });

  test("are stated in the configuration, off until somebody switches them on", async () => {
    type Config = { features: Record<string, boolean> };
    const stated = async () =>
      (await here.world.call<Config>("/api/config", { as: here.ada })).body.features["enable_direct_connections"];
    expect(await stated()).toBe(true);
    await here.world.client.execute("DELETE FROM settings WHERE name = 'ENABLE_DIRECT_CONNECTIONS'");
    expect(await stated()).toBe(false);
  });

  test("go with their person", async () => {
    await here.connect();
    await here.world.client.execute({ sql: "DELETE FROM users WHERE id = ?", args: [here.ada.id] });
    expect(await here.world.db.select().from(directConnections)).toEqual([]);
  });
});
