import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { directConnections } from "../../../src/models/direct-connections/tables.ts";
import { base, directWorld, key, type DirectWorld, type Problem } from "./direct-world.ts";

let here: DirectWorld;
beforeEach(async () => {
  here = await directWorld();
});
afterEach(() => here.close());

type Settings = { ui: { directConnections?: Record<string, unknown>; theme?: string } } & Problem;
const path = "/api/v1/users/user/settings";
const get = async () => (await here.world.call<Settings>(path, { as: here.ada })).body;
const update = (ui: unknown) => here.world.call<Settings>(`${path}/update`, { as: here.ada, json: { ui } });
const stored = async () => {
  const { rows } = await here.world.client.execute({
    sql: "SELECT settings FROM users WHERE id = ?",
    args: [here.ada.id],
  });
  return String(rows[0]![0]);
};

describe("ui.directConnections of Open WebUI's clients", () => {
  test("become connections; the settings hold neither addresses nor keys", async () => {
    const url = `${here.provider.origin}/v1`;
    const { status, body } = await update({
      theme: "dark",
      directConnections: {
        OPENAI_API_BASE_URLS: [url, "https://two.invalid"],
        OPENAI_API_KEYS: [key, ""],
        OPENAI_API_CONFIGS: { "0": { prefix_id: "mine", model_ids: ["tide"], tags: [] }, "1": { enable: false } },
      },
    });
    expect(status).toBe(200);
    const shown = {
      OPENAI_API_BASE_URLS: [url, "https://two.invalid"],
      OPENAI_API_KEYS: ["********", ""],
      OPENAI_API_CONFIGS: { "0": { enable: true, prefix_id: "mine", model_ids: ["tide"] }, "1": { enable: false } },
    };
    expect(body.ui).toMatchObject({ theme: "dark", directConnections: shown });
    expect((await get()).ui).toMatchObject({ theme: "dark", directConnections: shown });
    expect(await stored()).toContain("dark");
    expect(await stored()).not.toMatch(/directConnections|sk-|invalid/);
    expect((await here.ask("direct.mine.tide")).status).toBe(200);
    expect(here.provider.headers.at(-1)).toMatchObject({ authorization: `Bearer ${key}` });
  });

  test("saved as they were read, change nothing; what is left out is deleted, and null deletes all", async () => {
    await here.connect();
    await here.connect({ base_url: "https://two.invalid", prefix_id: "two" });
    await here.connect({ kind: "anthropic", base_url: "https://three.invalid" });
    const before = await here.world.db.select().from(directConnections);
    const { ui } = await get();
    expect((await update(ui)).status).toBe(200);
    expect(await here.world.db.select().from(directConnections)).toEqual(before);
    expect((await update({ theme: "light" })).body.ui.directConnections).toEqual(ui.directConnections);

    const named = ui.directConnections as Record<string, string[]>;
    await update({
      directConnections: {
        OPENAI_API_BASE_URLS: [named["OPENAI_API_BASE_URLS"]![1]],
        OPENAI_API_KEYS: ["sk-new"],
        OPENAI_API_CONFIGS: { "0": { prefix_id: "three" } },
      },
    });
    const after = await here.own();
    expect(after.connections).toMatchObject([
      { base_url: "https://two.invalid", prefix_id: "three", id: before[1]!.id },
      { kind: "anthropic" },
    ]);
    await update({ directConnections: {} });
    expect((await here.own()).connections).toHaveLength(2);
    await update({ directConnections: null });
    expect((await here.own()).connections).toMatchObject([{ kind: "anthropic" }]);
  });

  test.each([
    ["another shape", "text"],
    ["addresses that are none", { OPENAI_API_BASE_URLS: ["models"], OPENAI_API_KEYS: [""] }],
    ["private addresses", { OPENAI_API_BASE_URLS: ["http://10.0.0.1"], OPENAI_API_KEYS: [""] }],
    ["keys with spaces", { OPENAI_API_BASE_URLS: ["https://one.invalid"], OPENAI_API_KEYS: ["a b"] }],
    [
      "a masked key that is not stored",
      { OPENAI_API_BASE_URLS: ["https://one.invalid"], OPENAI_API_KEYS: ["********"] },
    ],
    ["more than there may be", { OPENAI_API_BASE_URLS: Array.from({ length: 21 }, () => "https://one.invalid") }],
    ["too many", { OPENAI_API_BASE_URLS: Array.from({ length: 51 }, () => "https://one.invalid") }],
  ])("%s are refused, and nothing is changed", async (_, directConnections) => {
    const { id } = await here.connect();
    const { status } = await update({ theme: "dark", directConnections });
    expect([400, 403, 422]).toContain(status);
    expect(await stored()).not.toContain("dark");
    expect((await here.own()).connections).toMatchObject([{ id }]);
  });

  test("are left out of the settings of those who may have none", async () => {
    await here.connect();
    await here.set("ENABLE_DIRECT_CONNECTIONS", false);
    expect((await get()).ui).not.toHaveProperty("directConnections");
    const { status, body } = await update({
      theme: "dark",
      directConnections: { OPENAI_API_BASE_URLS: ["https://one.invalid"], OPENAI_API_KEYS: ["sk-loose"] },
    });
    expect(status).toBe(200);
    expect(body.ui).toEqual({ theme: "dark" });
    expect(await stored()).not.toContain("sk-loose");
    await here.set("ENABLE_DIRECT_CONNECTIONS", true);
    expect((await here.world.call<{ connections: unknown[] }>(base, { as: here.ada })).body.connections).toHaveLength(
      1,
    );
  });
});
