import { describe, expect, test } from "vitest";
import { configReader } from "../../../src/shared/moving-in/open-webui/config.ts";
import { modelsReader } from "../../../src/shared/moving-in/open-webui/models.ts";
import { promptsReader } from "../../../src/shared/moving-in/open-webui/prompts.ts";
import { restReader } from "../../../src/shared/moving-in/open-webui/rest.ts";
import { translate } from "./rows-source.ts";

const json = JSON.stringify;
const readByAll = { principal_type: "user", principal_id: "*", permission: "read" };

test("models name their knowledge as records, in all its older forms", async () => {
  const meta = {
    profile_image_url: "/static/favicon.png",
    description: "d",
    toolIds: ["t"],
    skillIds: ["s"],
    knowledge: [
      { type: "collection", id: "k1" },
      { type: "file", id: "f1", file: {} },
      { id: "k2", name: "Old" },
      { collection_names: ["k3", "file-f2"] },
      "broken",
    ],
  };
  const row = {
    id: "m",
    user_id: "u1",
    base_model_id: "gpt",
    name: "M",
    params: json({ system: "s" }),
    meta: json(meta),
  };
  const { records } = await translate(modelsReader, {
    model: [
      { ...row, is_active: 0 },
      { ...row, id: "n", base_model_id: null },
    ],
  });
  expect(records[0]).toEqual({
    kind: "model",
    id: "m",
    name: "M",
    meta: { description: "d", toolIds: ["t"] },
    params: { system: "s" },
    knowledge: [
      { type: "collection", id: "k1" },
      { type: "file", id: "f1" },
      { type: "collection", id: "k2" },
      { type: "collection", id: "k3" },
      { type: "file", id: "f2" },
    ],
    is_active: false,
    access_grants: [],
    base_model_id: "gpt",
    person_id: "u1",
    picture: "/static/favicon.png",
    left: ["its skills"],
  });
  expect(records[1]).not.toHaveProperty("base_model_id");
});

describe("prompts", () => {
  test("of version 0.12 have their versions, the older first", async () => {
    const history = (id: string, at: number, content: string) => ({
      id,
      prompt_id: "p1",
      parent_id: null,
      snapshot: json({ name: "Tide", content, tags: ["sea"] }),
      user_id: "u1",
      commit_message: "m",
      created_at: at,
    });
    const { records } = await translate(promptsReader, {
      prompt: [
        {
          id: "p1",
          command: "tide",
          user_id: "u1",
          name: "Tide",
          content: "now",
          tags: json(["sea"]),
          is_active: 1,
          version_id: "v2",
          created_at: 1_600_000_000,
          updated_at: 1_600_000_001,
        },
      ],
      prompt_history: [
        history("v1", 1_600_000_009, "now"),
        history("v2", 1_600_000_001, "before"),
        { id: "v3", prompt_id: "p1", snapshot: "{" },
      ],
    });
    expect(records).toMatchObject([{ id: "p1", command: "tide", version_id: "v2", tags: ["sea"], is_active: true }]);
    expect(records[0]!["versions"]).toEqual([
      {
        id: "v2",
        command: "tide",
        name: "Tide",
        content: "before",
        tags: ["sea"],
        message: "m",
        person_id: "u1",
        created_at: 1_600_000_001,
      },
      {
        id: "v1",
        command: "tide",
        name: "Tide",
        content: "now",
        tags: ["sea"],
        message: "m",
        person_id: "u1",
        created_at: 1_600_000_009,
      },
    ]);
  });

  test("of version 0.6 have their command for an id", async () => {
    const { records } = await translate(promptsReader, {
      prompt: [
        {
          command: "/tide",
          user_id: "u1",
          title: "Tide",
          content: "x",
          timestamp: 1_600_000_000,
          access_control: null,
        },
      ],
    });
    expect(records).toMatchObject([
      {
        id: "tide",
        command: "/tide",
        name: "Tide",
        created_at: 1_600_000_000,
        versions: [],
        access_grants: [readByAll],
      },
    ]);
  });
});

describe("the configuration", () => {
  const values = {
    "openai.enable": true,
    "openai.api_base_urls": ["https://a.example/v1", "", "https://azure.example", "https://b.example/v1"],
    "openai.api_keys": ["sk-a", "", "az", "sk-b"],
    "openai.api_configs": {
      "0": { enable: false, prefix_id: "a", tags: [{ name: "fast" }], model_ids: ["m"] },
      "2": { azure: true },
    },
    "ollama.base_urls": ["http://ollama:11434"],
    "ui.default_models": ["m", "n"],
    "ui.default_pinned_models": "n",
    "ui.enable_signup": false,
    "ui.banners": [{ id: "b", content: "Ahoy" }],
    "audio.voice": "harbour",
    "image_generation.size": "1x1",
  };
  const expected = [
    {
      kind: "connection",
      id: "openai.0",
      type: "openai",
      key: "sk-a",
      prefix_id: "a",
      enabled: false,
      tags: ["fast"],
      model_ids: ["m"],
    },
    { kind: "connection", id: "openai.3", key: "sk-b", enabled: true },
    { kind: "connection", id: "ollama.0", type: "local", base_url: "http://ollama:11434", key: "" },
    { kind: "setting", id: "ui.enable_signup", name: "ENABLE_SIGNUP", value: false },
    { kind: "setting", id: "ui.default_models", name: "DEFAULT_MODELS", value: "m,n" },
    { kind: "setting", id: "ui.default_pinned_models", name: "DEFAULT_PINNED_MODELS", value: "n" },
    { kind: "setting", id: "ui.banners", name: "banners", value: [{ id: "b", content: "Ahoy" }] },
  ];
  const others = { kind: "setting", id: "others", reason: "2 settings that don't exist here" };

  test("of version 0.12 has a row for each setting", async () => {
    const config = Object.entries(values).map(([key, value]) => ({ key, value: json(value), updated_at: 1 }));
    const { records, leftOut } = await translate(configReader, { config });
    expect(records).toMatchObject(expected);
    expect(leftOut).toEqual([
      { kind: "connection", id: "openai.2", reason: "Connections to Azure aren't imported: add it yourself" },
      others,
    ]);
  });

  test("of version 0.6 is one document", async () => {
    const document: Record<string, Record<string, unknown>> = {};
    for (const [key, value] of Object.entries(values)) {
      const [branch, leaf] = key.split(".") as [string, string];
      (document[branch] ??= {})[leaf] = value;
    }
    const { records, leftOut } = await translate(configReader, {
      config: [{ id: 1, data: json({ version: 0, ...document }), version: 0 }],
    });
    expect(records).toMatchObject(expected);
    expect(leftOut.at(-1)).toEqual(others);
  });
});

test("what nothing here is like is counted, a line for each table", async () => {
  const { leftOut } = await translate(restReader, {
    skill: [{ id: 1 }, { id: 2 }],
    calendar: [{ id: 1 }],
    automation: [],
  });
  expect(leftOut).toEqual([
    { kind: "skill", id: "all", reason: "Skills don't exist here: 2" },
    { kind: "calendar", id: "all", reason: "Calendars don't exist here: 1" },
  ]);
});
