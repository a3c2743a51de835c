import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { droppedBlobs } from "../../../src/blobs/tables.ts";
import { settings } from "../../../src/db/tables.ts";
import { databaseKey } from "../../../src/plugins/databases/databases.ts";
import { pluginDatabases } from "../../../src/plugins/databases/tables.ts";
import { useFilterWorld } from "./filter-world.ts";
import { install } from "./install.ts";

const here = useFilterWorld();
const writer = "0a1b2c3d-0000";
const other = "0a1b2c3d-1111";
const save = { path: "webui.db", base: 0, writer, serial: 1, base64: btoa("one") };

/** A function that makes the requests that it is told, and answers with what came of each. */
const asking = `export class Pipe { async pipe(body, __service__) {
  const results = [];
  for (const [name, args] of JSON.parse(body.messages.at(-1).content)) {
    results.push(await __service__.request(name, args).catch((error) => ({ error: error.message })));
  }
  return JSON.stringify(results);
} }`;

async function ask(model: string, requests: [name: string, args?: object][], as = here.ada): Promise<unknown[]> {
  const content = JSON.stringify(requests.map(([name, args = {}]) => [`database.${name}`, args]));
  const { body } = await here.world.call<{ choices: { message: { content: string } }[] }>("/api/chat/completions", {
    as,
    json: { model, messages: [{ role: "user", content }] },
  });
  return JSON.parse(body.choices[0]!.message.content) as unknown[];
}
const objects = async () =>
  (await here.world.db.select().from(pluginDatabases)).map(({ objectId }) => databaseKey(objectId));

describe("the databases of a plugin", () => {
  it("are the same for everybody who uses it, and no other plugin's", async () => {
    await install(here.world, { id: "one", source: asking });
    await install(here.world, { id: "two", source: asking });
    const bob = await here.world.person({ name: "Bob" });
    expect(
      await ask("one", [
        ["load", { path: "webui.db" }],
        ["save", save],
      ]),
    ).toEqual([null, { version: 1 }]);
    const load: [string, object] = ["load", { path: "webui.db" }];
    expect(await ask("one", [load, ["list"]], bob)).toEqual([
      { version: 1, base64: btoa("one") },
      [{ path: "webui.db", version: 1, writer }],
    ]);
    // Whatever it names, another plugin finds its own.
    const tries = [{ plugin: "one" }, { id: "one" }, { family: "function", plugin_id: "one", holder: "" }];
    expect(
      await ask("two", [["list"], load, ...tries.map((more): [string, object] => ["load", { ...load[1], ...more }])]),
    ).toEqual([[], null, null, null, null]);
    const paths = ["../one/webui.db", "/webui.db", "a//b", "..", "a/./b", "", "a\\b", "x".repeat(201), "a\0b", 5, null];
    const refused = await ask(
      "two",
      paths.map((path) => ["load", { path }]),
    );
    expect(refused).toEqual(paths.map(() => ({ error: expect.stringMatching(/^path: /) })));
  });

  it("change as a whole: what comes second from elsewhere is refused, and what came first in one isolate is kept", async () => {
    await install(here.world, { id: "races", source: asking });
    await ask("races", [["save", save]]);
    const next = { ...save, base: 1, serial: 2, base64: btoa("two") };
    const [second, foreign, stale, again] = await ask("races", [
      ["save", next],
      ["save", { ...save, base: 1, writer: other, base64: btoa("theirs") }],
      // An earlier state of the same isolate, overtaken on its way.
      ["save", { ...save, base: 1 }],
      // The answer to the last save did not arrive.
      ["save", { ...next, base: 1, serial: 3, base64: btoa("three") }],
    ]);
    expect(second).toEqual({ version: 2 });
    expect(foreign).toEqual({ error: "The database webui.db was changed elsewhere at the same time" });
    expect(stale).toEqual({ version: 2 });
    expect(again).toEqual({ version: 3 });
    expect(await ask("races", [["load", { path: "webui.db" }]])).toEqual([{ version: 3, base64: btoa("three") }]);
    const many = Array.from({ length: 10 }, (_, at): [string, object] => [
      "save",
      { ...save, base: 3, writer: `${other}${at}`, base64: btoa(`race ${at}`) },
    ]);
    const results = await Promise.all(many.map((each) => ask("races", [each])));
    expect(results.flat().filter((each) => (each as { version?: number }).version === 4)).toHaveLength(1);
    // Nothing is left of what was refused.
    const [kept] = await objects();
    expect(await here.world.services.blobs.get(kept!)).toBeDefined();
    expect(await here.world.db.select().from(droppedBlobs)).toHaveLength(3);
  });

  it("have limits of number and size, and must be what they say", async () => {
    await install(here.world, { id: "limits", source: asking });
    const paths = Array.from({ length: 9 }, (_, at) => `${at}.db`);
    const results = await ask(
      "limits",
      paths.map((path) => ["save", { ...save, path }]),
    );
    expect(results.slice(0, 8)).toEqual(paths.slice(1).map(() => ({ version: 1 })));
    expect(results[8]).toEqual({ error: "A plugin can have at most 8 databases" });
    const odd = [
      { base: -1 },
      { base: 1.5 },
      { serial: "1" },
      { writer: "x" },
      { writer: 5 },
      { base64: "?" },
      { base64: 5 },
    ];
    expect(
      await ask(
        "limits",
        odd.map((each) => ["save", { ...save, ...each }]),
      ),
    ).toEqual(odd.map((each) => ({ error: expect.stringMatching(new RegExp(`^${Object.keys(each)[0]}: `)) })));
    const value = (size: number) => ({
      name: "PLUGIN_DATABASE_MAX_SIZE",
      value: size,
      updatedAt: here.world.services.now(),
    });
    await here.world.db.insert(settings).values(value(1));
    const large = { ...save, path: "0.db", base: 1, serial: 2, base64: "A".repeat(1_400_000) };
    expect(await ask("limits", [["save", large]])).toEqual([{ error: expect.stringMatching(/more than 1 MB/) }]);
    await here.world.db.update(settings).set({ value: 0 }).where(eq(settings.name, "PLUGIN_DATABASE_MAX_SIZE"));
    expect(await ask("limits", [["save", save]])).toEqual([
      { error: expect.stringMatching(/PLUGIN_DATABASE_MAX_SIZE/) },
    ]);
    await here.world.db.delete(settings).where(eq(settings.name, "PLUGIN_DATABASE_MAX_SIZE"));
  });

  it("go with the plugin, and with what it removes; their bytes too", async () => {
    await install(here.world, { id: "gone", source: asking });
    await ask("gone", [
      ["save", save],
      ["save", { ...save, path: "b.db" }],
    ]);
    const keys = await objects();
    expect(keys).toHaveLength(2);
    expect(await ask("gone", [["delete", { path: "b.db" }], ["list"]])).toEqual([
      true,
      [{ path: "webui.db", version: 1, writer }],
    ]);
    const as = await here.world.admin();
    expect((await here.world.call("/api/v1/functions/id/gone/delete", { as, method: "DELETE" })).status).toBe(200);
    expect(await objects()).toEqual([]);
    const dropped = (await here.world.db.select().from(droppedBlobs)).map(({ key }) => key);
    expect(dropped).toEqual(expect.arrayContaining(keys));
    // One with the same name begins with nothing.
    await install(here.world, { id: "gone", source: asking });
    expect(await ask("gone", [["list"]])).toEqual([[]]);
  });

  it("are read in test runs, and not changed", async () => {
    const source = `export class Pipe { async pipe(body, __service__) {
      return [await __service__.request("database.save", ${JSON.stringify({ ...save, base: 1, serial: 9 })}), await __service__.request("database.load", { path: "webui.db" })];
    } }`;
    await install(here.world, { id: "tried", source });
    await install(here.world, { id: "tried_too", source: asking });
    const as = await here.world.admin();
    const json = { method: "pipe", args: { body: {} } };
    const { body } = await here.world.call("/api/v1/functions/id/tried/try", { as, json });
    expect(body).toMatchObject({ ok: true, value: [{ version: null }, null] });
    expect(await objects()).toEqual([]);
  });
});
