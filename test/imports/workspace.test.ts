import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { adderTools, politeFilter } from "../plugins/sources.ts";
import { ada, bo, createImportWorld, type ImportWorld } from "./import-world.ts";

let world: ImportWorld;
beforeEach(async () => {
  world = await createImportWorld();
  await world.send([ada, bo, { kind: "group", id: "crew", name: "Crew", members: [bo.id] }]);
});
afterEach(() => world.close());

const crewReads = { principal_type: "group", principal_id: "crew", permission: "read" };
const grantsOf = (type: string) =>
  world.rows(
    "SELECT resource_id, principal_type, principal_id, permission FROM grants WHERE resource_type = ? ORDER BY principal_type, principal_id",
    type,
  );

describe("a function", () => {
  const polite = {
    kind: "function",
    id: "polite",
    name: "Polite",
    type: "filter",
    content: politeFilter,
    person_id: ada.id,
  };

  test("arrives with its valves, sealed, and its switches", async () => {
    const results = await world.send([
      {
        ...polite,
        meta: { description: "Adds", manifest: { title: "x" } },
        valves: { apiKey: "p-secret", days: 3, gone: 1 },
        is_active: true,
        is_global: true,
        created_at: 1_600_000_000,
        updated_at: 1_600_000_001,
      },
    ]);
    expect(results).toMatchObject([
      { state: "changed", target_id: "polite", notes: ["Valves that don't fit its source: gone"] },
    ]);
    const { body } = await world.call("/api/v1/functions/id/polite", { as: world.administrator });
    expect(body).toMatchObject({
      name: "Polite",
      type: "filter",
      content: politeFilter,
      user_id: ada.id,
      is_active: true,
      is_global: true,
      meta: { description: "Adds" },
      created_at: 1_600_000_000,
      updated_at: 1_600_000_001,
    });
    const valves = await world.call("/api/v1/functions/id/polite/valves", { as: world.administrator });
    expect(valves.body).toEqual({ apiKey: "p-secret", days: 3 });
    for (const table of ["plugins", "import_items", "audit_events"])
      expect(JSON.stringify(await world.rows(`SELECT * FROM ${table}`))).not.toContain("p-secret");
  });

  test("that does not load is kept, switched off, with the reason", async () => {
    const [result] = await world.send([
      { ...polite, content: "export class Filter {{", is_active: true, is_global: true, valves: { word: "kindly" } },
    ]);
    expect(result).toMatchObject({ state: "changed" });
    expect(result!.notes[0]).toMatch(/^It is switched off because it doesn't load: /);
    expect(await world.rows("SELECT type, is_active, is_global, source FROM plugins")).toEqual([
      { type: "filter", is_active: 0, is_global: 0, source: "export class Filter {{" },
    ]);
  });

  test("is matched with the same one, and gets another id beside a different one", async () => {
    await world.call("/api/v1/functions/create", {
      as: world.administrator,
      json: { id: "polite", name: "Mine", content: politeFilter },
    });
    expect(await world.send([polite])).toMatchObject([{ state: "matched", target_id: "polite" }]);
    await world.client.execute("DELETE FROM import_items WHERE kind = 'function'");
    const [result] = await world.send([{ ...polite, content: `${politeFilter}// mine` }]);
    expect(result).toMatchObject({ state: "changed" });
    expect(result!.target_id).toMatch(/^polite_[0-9a-f]{8}$/);
    expect(await world.rows("SELECT name FROM plugins WHERE id = 'polite'")).toEqual([{ name: "Mine" }]);
  });

  test("is set by people as they had set it", async () => {
    const results = await world.send([
      polite,
      {
        kind: "user_valves",
        id: "a",
        person_id: ada.id,
        family: "function",
        plugin: "polite",
        values: { tone: "dry" },
      },
      { kind: "user_valves", id: "b", person_id: "nobody", family: "function", plugin: "polite", values: {} },
      { kind: "user_valves", id: "c", person_id: ada.id, family: "tool", plugin: "polite", values: {} },
    ]);
    expect(results.slice(1).map(({ state }) => state)).toEqual(["created", "left_out", "left_out"]);
    const [row] = await world.rows("SELECT user_id, sealed_values FROM plugin_user_valves");
    expect(row!["user_id"]).toBe(ada.id);
    expect(JSON.parse(await world.services.vault.open(String(row!["sealed_values"])))).toEqual({ tone: "dry" });
  });
});

describe("a tool", () => {
  const adder = { kind: "tool", id: "adder", name: "Adder", content: adderTools, person_id: ada.id };

  test("arrives with those who may use it", async () => {
    const results = await world.send([
      {
        ...adder,
        access_grants: [
          crewReads,
          { principal_type: "user", principal_id: "*", permission: "read" },
          { principal_type: "user", principal_id: "nobody", permission: "write" },
          { principal_type: "anyone", principal_id: "*", permission: "read" },
        ],
      },
    ]);
    expect(results[0]!.notes).toEqual([
      "Shared with 1 people who weren't imported",
      "Was open to people without an account: here only people who sign in see it",
    ]);
    expect(await grantsOf("tool")).toEqual([
      { resource_id: "adder", principal_type: "group", principal_id: "crew", permission: "read" },
      { resource_id: "adder", principal_type: "user", principal_id: "*", permission: "read" },
    ]);
  });

  test("of somebody who wasn't imported belongs to nobody, and is nobody's whom one has to trust", async () => {
    const results = await world.send([{ ...adder, person_id: "nobody" }]);
    expect(results[0]!.notes).toEqual(["Its owner wasn't imported: nobody owns it"]);
    const { body } = await world.call("/api/v1/tools/id/adder", { as: world.administrator });
    expect(body).toMatchObject({ user_id: null, trusted: false });
  });
});

describe("a model", () => {
  const guide = {
    kind: "model",
    id: "harbour-guide",
    name: "Guide",
    base_model_id: "gpt-9",
    person_id: ada.id,
    meta: { description: "Knows the harbour", capabilities: { vision: true }, suggestion_prompts: [{ content: "Hi" }] },
    params: { system: "You guide", temperature: 0.2 },
  };

  test("arrives as it is", async () => {
    const results = await world.send([
      { kind: "tool", id: "adder", name: "Adder", content: adderTools, person_id: ada.id },
      {
        ...guide,
        meta: { ...guide.meta, toolIds: ["adder", "gone"] },
        picture: "https://harbour.example/guide.png",
        access_grants: [crewReads],
        is_active: false,
        knowledge: [{ type: "file", id: "lost" }],
        created_at: 1_600_000_000,
      },
    ]);
    expect(results[1]).toMatchObject({
      state: "changed",
      notes: ["Plugins that weren't imported: gone", "1 of its files and knowledge bases weren't imported"],
    });
    const { body } = await world.call("/api/v1/models/model?id=harbour-guide", { as: world.administrator });
    expect(body).toMatchObject({
      user_id: ada.id,
      base_model_id: "gpt-9",
      name: "Guide",
      params: guide.params,
      meta: { ...guide.meta, toolIds: ["adder"] },
      is_active: false,
      created_at: 1_600_000_000,
      access_grants: [{ principal_type: "group", principal_id: "crew", permission: "read" }],
    });
    expect(await world.rows("SELECT url FROM model_pictures")).toEqual([{ url: "https://harbour.example/guide.png" }]);
    expect(await world.rows("SELECT action FROM audit_events WHERE target_id = 'harbour-guide'")).toEqual([
      { action: "model.created" },
    ]);
  });

  test("is matched with the same one, gets another id beside a different one, and settings stay as they are", async () => {
    await world.call("/api/v1/models/create", {
      as: world.administrator,
      json: { ...guide, kind: undefined },
    });
    expect(await world.send([guide])).toMatchObject([{ state: "matched", target_id: guide.id }]);
    await world.client.execute("DELETE FROM import_items WHERE kind = 'model'");
    const [other] = await world.send([{ ...guide, name: "Another" }]);
    expect(other!.target_id).toMatch(/^harbour-guide-[0-9a-f]{8}$/);
    await world.client.execute("DELETE FROM import_items WHERE kind = 'model'");
    expect(await world.send([{ ...guide, base_model_id: null }])).toMatchObject([
      { state: "left_out", notes: ["This model has settings here already"] },
    ]);
  });

  test("without a picture that can be shown comes without it, and too large a one fails alone", async () => {
    const results = await world.send([
      { ...guide, picture: "javascript:alert(1)" },
      { ...guide, id: "large", params: { system: "x".repeat(130_000) } },
      { ...guide, id: "loop", base_model_id: "loop" },
    ]);
    expect(results.map(({ state }) => state)).toEqual(["changed", "failed", "failed"]);
    expect(await world.rows("SELECT id FROM stored_models")).toEqual([{ id: "harbour-guide" }]);
  });
});

describe("a prompt", () => {
  const tide = {
    kind: "prompt",
    id: "tide-1",
    person_id: ada.id,
    command: "tide",
    name: "Tide",
    content: "When is {{x}}?",
  };
  const version = (id: string, content: string, at: number) => ({
    id,
    command: "tide",
    name: "Tide",
    content,
    person_id: bo.id,
    message: `as of ${at}`,
    created_at: at,
  });

  test("arrives with its versions", async () => {
    const results = await world.send([
      {
        ...tide,
        tags: ["sea", " sea ", 3],
        is_active: false,
        versions: [version("v1", "When?", 1_600_000_000), version("v2", tide.content, 1_600_000_001)],
        version_id: "v2",
        access_grants: [crewReads],
        created_at: 1_600_000_000,
        updated_at: 1_600_000_002,
      },
    ]);
    expect(results).toMatchObject([{ state: "created", target_id: "tide-1" }]);
    const { body } = await world.call("/api/v1/prompts/id/tide-1", { as: world.administrator });
    expect(body).toMatchObject({
      command: "tide",
      content: tide.content,
      tags: ["sea"],
      is_active: false,
      user_id: ada.id,
      access_grants: [{ principal_id: "crew" }],
      created_at: 1_600_000_000,
      updated_at: 1_600_000_002,
    });
    const versions = await world.rows(
      "SELECT id, parent_id, content, message, user_id FROM prompt_versions ORDER BY id",
    );
    expect(versions).toMatchObject([
      { parent_id: null, content: "When?", message: "as of 1600000000", user_id: bo.id },
      { parent_id: versions[0]!["id"], content: tide.content },
    ]);
    expect((body as { version_id: string }).version_id).toBe(versions[1]!["id"]);
  });

  test("without versions has one", async () => {
    await world.send([tide]);
    expect(await world.rows("SELECT content FROM prompt_versions")).toEqual([{ content: tide.content }]);
  });

  test("gets another command where the person has it, and one that can be typed", async () => {
    await world.send([tide]);
    const results = await world.send([
      { ...tide, id: "tide-2", content: "Another" },
      { ...tide, id: "tide-3" },
      { ...tide, id: "tide-4", command: "/<b>High & low</b>", content: "Third" },
      { ...tide, id: "tide-5", person_id: "nobody", command: "///" },
    ]);
    expect(results).toMatchObject([
      { state: "changed", notes: ["Its command is /tide-2 here"] },
      { state: "matched", target_id: "tide-1" },
      { state: "changed", notes: ["Its command is /b-High-low-b here"] },
      { notes: ["Its command is /prompt here", "Its owner wasn't imported: nobody owns it"] },
    ]);
  });
});

describe("what administrators have set", () => {
  const connection = {
    kind: "connection",
    id: "openai.0",
    type: "openai",
    base_url: "https://api.provider.example/v1",
    key: "sk-provider-secret",
  };

  test("connections arrive with their keys, sealed", async () => {
    expect(await world.send([{ ...connection, prefix_id: "p", model_ids: ["a"], tags: ["fast"] }])).toMatchObject([
      { state: "changed", notes: ["Connects to api.provider.example"] },
    ]);
    const [row] = await world.rows("SELECT * FROM connections");
    expect(row).toMatchObject({ base_url: connection.base_url, prefix_id: "p", model_ids: '["a"]', enabled: 1 });
    expect(await world.services.vault.open(String(row!["sealed_key"]))).toBe(connection.key);
    for (const table of ["connections", "import_items", "audit_events"])
      expect(JSON.stringify(await world.rows(`SELECT * FROM ${table}`))).not.toContain(connection.key);
    expect(await world.send([{ ...connection, id: "openai.1", prefix_id: "p" }])).toMatchObject([{ state: "matched" }]);
  });

  test("settings are set where nobody has set them here", async () => {
    await world.call("/api/v1/auths/admin/config", { as: world.administrator, json: { DEFAULT_USER_ROLE: "user" } });
    const setting = (id: string, name: string, value: unknown) => ({ kind: "setting", id, name, value });
    const results = await world.send([
      setting("a", "DEFAULT_MODELS", "guide,other"),
      setting("b", "DEFAULT_USER_ROLE", "admin"),
      setting("c", "ENABLE_SIGNUP", "perhaps"),
      setting("d", "__proto__", 1),
      setting("e", "permissions.default", { workspace: { models: true, skills: true } }),
      setting("f", "RAG_RERANKING_API_KEY", "secret"),
    ]);
    expect(results.map(({ state }) => state)).toEqual([
      "changed",
      "left_out",
      "failed",
      "failed",
      "changed",
      "left_out",
    ]);
    expect(results[0]!.notes).toEqual(['DEFAULT_MODELS is set to "guide,other"']);
    const { body } = await world.call("/api/v1/auths/admin/config", { as: world.administrator });
    expect(body).toMatchObject({ DEFAULT_MODELS: "guide,other", DEFAULT_USER_ROLE: "user" });
    const permissions = await world.call("/api/v1/users/default/permissions", { as: world.administrator });
    expect(permissions.body).toMatchObject({ workspace: { models: true, prompts: false } });
  });

  test("banners are shown where there are none here, and those of another form are left out", async () => {
    const banner = { id: "b1", type: "info", title: "", content: "Closed on Sunday", dismissible: true, timestamp: 9 };
    const record = {
      kind: "setting",
      id: "ui.banners",
      name: "banners",
      value: [banner, { ...banner, content: "" }, 7, { ...banner, i18n: null, content: "Open on Monday" }],
    };
    const [done] = await world.send([record]);
    expect(done).toMatchObject({
      state: "changed",
      notes: ["2 banners are shown to everyone", expect.stringMatching(/^2 /)],
    });
    const there = (await world.call<object[]>("/api/v1/configs/banners", { as: world.administrator })).body;
    expect(there).toMatchObject([{ content: "Closed on Sunday", title: null }, { content: "Open on Monday" }]);
    expect(await world.send([{ ...record, id: "again" }])).toMatchObject([{ state: "left_out" }]);
  });
});
