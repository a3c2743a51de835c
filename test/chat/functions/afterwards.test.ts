import { afterAll, beforeAll, expect, it } from "vitest";
import { allowancesOf } from "../../../src/chat/functions/afterwards.ts";
import { type Context, contextWith } from "../../../src/context.ts";
import { settings } from "../../../src/db/tables.ts";
import { type PluginEntry, selectPluginIndex } from "../../../src/plugins/plugin-index.ts";
import { contextFor } from "../../models/context-for.ts";
import { adderTools } from "../../plugins/sources.ts";
import { createWorld, type Person, type World } from "../../world.ts";

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  admin = await world.admin();
});
afterAll(() => world.close());

/** @returns what may go on, and the signal that its capabilities were made with */
function allowedTo(ctx: Context, entry: PluginEntry, until: AbortSignal) {
  let signal = until;
  const { afterwards } = allowancesOf(ctx, entry, "add", until, (given) => {
    signal = given;
    return { emit: async () => undefined, call: async () => null, request: async () => null };
  });
  return { afterwards, signal };
}

let count = 0;
/** A tool that a new person may use, called by that person. */
async function called() {
  const id = `tool${++count}`;
  const person = await world.person();
  const grants = [{ principal_type: "user", principal_id: person.id, permission: "read" }];
  const json = { id, name: id, content: adderTools, access_grants: grants };
  expect((await world.call("/api/v1/tools/create", { as: admin, json })).status).toBe(200);
  // Whatever it is written in: the same is asked.
  const entry = { ...(await selectPluginIndex(world.db)).find((each) => each.id === id)!, language: "python" as const };
  const ctx = await contextFor(world, person);
  const { afterwards, signal } = allowedTo(ctx, entry, new AbortController().signal);
  const change = (more: object) => world.call(`/api/v1/tools/id/${id}/update`, { as: admin, json: more });
  return { id, person, ctx, entry, afterwards: afterwards!, signal, change };
}

it("goes on while the plugin is what was called and its caller may use it", async () => {
  const { afterwards, signal } = await called();
  expect(afterwards.limitMs).toBe(30_000);
  await afterwards.check();
  expect(signal.aborted).toBe(false);
  afterwards.ended({ durationMs: 1, logs: [] });
  expect(signal.aborted).toBe(true);
});

it("ends when the plugin is changed, switched off, taken away or deleted", async () => {
  const changed = await called();
  await changed.change({ content: `${adderTools}\n// newer` });
  await expect(changed.afterwards.check()).rejects.toThrow(/was changed or switched off/);

  const off = await called();
  await off.change({ is_off: true });
  await expect(off.afterwards.check()).rejects.toThrow(/was changed or switched off/);

  const taken = await called();
  await taken.change({ access_grants: [] });
  await expect(taken.afterwards.check()).rejects.toMatchObject({ code: "not_found" });

  const deleted = await called();
  await world.call(`/api/v1/tools/id/${deleted.id}/delete`, { as: admin, method: "DELETE" });
  await expect(deleted.afterwards.check()).rejects.toMatchObject({ code: "not_found" });
});

it("ends when the caller is switched off or signed out", async () => {
  const off = await called();
  const json = { name: off.person.name, email: off.person.email, role: "user", active: false };
  expect((await world.call(`/api/v1/users/${off.person.id}/update`, { as: admin, json })).status).toBe(200);
  await expect(off.afterwards.check()).rejects.toMatchObject({ code: "session_ended" });

  const out = await called();
  await world.call("/api/v1/auths/signout", { as: out.person, method: "POST" });
  await expect(out.afterwards.check()).rejects.toMatchObject({ code: "session_ended" });
});

it("ends when plugins are switched off", async () => {
  const { afterwards } = await called();
  await world.db.insert(settings).values({ name: "ENABLE_PLUGINS", value: false, updatedAt: 1 });
  await expect(afterwards.check()).rejects.toMatchObject({ code: "plugins_disabled" });
  await world.db.delete(settings);
  await afterwards.check();
});

it("is not there where the setting or the language has none", async () => {
  const { ctx, entry } = await called();
  const { signal } = new AbortController();
  const none = contextWith(ctx, { settings: { ...ctx.settings, PLUGIN_TASK_TIMEOUT: 0 } });
  expect(allowedTo(none, entry, signal).afterwards).toBeUndefined();
  expect(allowedTo(ctx, { ...entry, language: "javascript" }, signal).afterwards).toBeUndefined();
});
