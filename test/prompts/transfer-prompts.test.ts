import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PromptView } from "../../src/prompts/schema.ts";
import { personWith } from "../models/stored-models/person-with.ts";
import { createWorld, type Person, type World } from "../world.ts";

const base = "/api/v1/prompts";
let world: World;
let ada: Person;
let bo: Person;
beforeEach(async () => {
  world = await createWorld();
  const may = { workspace: { prompts: true }, sharing: { prompts: true, public_prompts: true } };
  [ada, bo] = [await personWith(world, may), await personWith(world, may)];
});
afterEach(() => world.close());

const prompt = (command: string, more: object = {}) => ({
  command,
  name: `Name of ${command}`,
  content: "Ahoy",
  ...more,
});
const put = (json: unknown, as = ada) => world.call<Record<string, unknown>>(`${base}/import`, { as, json });
const exported = async (as = ada, query = "") => world.call<PromptView[]>(`${base}/export${query}`, { as });
const commands = async (as = ada) => (await exported(as)).body.map(({ command }) => command).toSorted();

describe("prompts as a file", () => {
  it("come back as they went, for another person too", async () => {
    await put([prompt("tide", { tags: ["sea"], is_active: false }), prompt("/ebb", { title: "Ebb" })]);
    const { body: file } = await exported();
    expect(file.map(({ command }) => command).toSorted()).toEqual(["ebb", "tide"]);
    expect((await put(file, bo)).body).toEqual({ created: 2, changed: 0 });
    const { body: theirs } = await exported(bo);
    const plain = (list: PromptView[]) =>
      list.map(({ command, name, content, tags, is_active }) => ({ command, name, content, tags, is_active }));
    expect(plain(theirs)).toEqual(plain(file));
    expect(theirs.every(({ user_id, access_grants }) => user_id === bo.id && access_grants.length === 0)).toBe(true);
    const one = file.find(({ command }) => command === "tide")!;
    expect((await exported(ada, `?id=${one.id}`)).body).toMatchObject([{ command: "tide" }]);
    expect((await exported(bo, `?id=${one.id}`)).status).toBe(404);
  });

  it("give one's own prompts of the same command a version more; those of others stay", async () => {
    await put([prompt("tide")]);
    await put([prompt("tide")], bo);
    expect((await put({ prompts: [prompt("tide", { content: "Again" }), prompt("ebb")] })).body).toEqual({
      created: 1,
      changed: 1,
    });
    const tide = (await exported()).body.find(({ command }) => command === "tide");
    expect(tide).toMatchObject({ content: "Again" });
    expect((await world.call<unknown[]>(`${base}/id/${tide!.id}/history`, { as: ada })).body).toHaveLength(2);
    expect((await exported(bo)).body).toMatchObject([{ content: "Ahoy" }]);
  });

  it("are shared with nobody, whatever the file says", async () => {
    const everyone = [{ principal_type: "user", principal_id: "*", permission: "read" }];
    await put([prompt("tide", { access_grants: everyone }), prompt("ebb", { access_control: null })]);
    expect((await world.call<PromptView[]>(`${base}/`, { as: bo })).body).toEqual([]);
  });

  it.each([
    ["nothing", []],
    ["another thing", { models: [] }],
    ["a text", "tide"],
    ["one without a text", [prompt("tide"), { command: "ebb", name: "Ebb" }]],
    ["a wrong command", [prompt("tide"), prompt("two words")]],
    ["a command twice", [prompt("tide"), prompt("/tide")]],
    ["a text that is too long", [prompt("tide"), prompt("ebb", { content: "x".repeat(50_001) })]],
    ["too many", Array.from({ length: 301 }, (_, at) => prompt(`c${at}`))],
  ])("with %s are refused, and nothing is stored", async (_, json) => {
    expect((await put(json)).status).toBe(422);
    expect(await commands()).toEqual([]);
  });

  it("are for those who may create prompts", async () => {
    const cy = await world.person();
    expect((await put([prompt("tide")], cy)).status).toBe(403);
    expect((await exported(cy)).status).toBe(403);
  });

  it("imported twice at the same moment are there once", async () => {
    const results = await Promise.all([put([prompt("tide"), prompt("ebb")]), put([prompt("tide"), prompt("ebb")])]);
    expect(results.map(({ status }) => status).every((status) => status === 200 || status === 409)).toBe(true);
    expect(await commands()).toEqual(["ebb", "tide"]);
  });
});
