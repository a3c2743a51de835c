import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { settings } from "../../src/db/tables.ts";
import { newId } from "../../src/lib/id.ts";
import { createWorld, type Person, type World } from "../world.ts";

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.person();
  world.live.runs.length = 0;
});

const set = (ui: unknown) => world.call("/api/v1/users/user/settings/update", { as: ada, json: { ui } });

async function begin(more: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await world.call<{ chat_id: string }>("/api/chat/completions", {
    as: ada,
    json: {
      model: "parley-guide",
      session_id: "s",
      id: newId(),
      parent_id: null,
      user_message: { id: newId(), content: "Hi" },
      ...more,
    },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.chat_id;
}
const given = () => world.live.runs.at(-1)!.instructions;

describe("a person's own instructions", () => {
  it("go with every turn of their chats, before those of folders", async () => {
    await set({ system: " Answer in Danish. ", memory: true });
    await begin();
    expect(given()).toEqual(["Answer in Danish."]);
    const { body: folder } = await world.call<{ id: string }>("/api/v1/folders/", {
      as: ada,
      json: { name: "Tides", data: { system_prompt: "Name the source." } },
    });
    await begin({ folder_id: folder.id });
    expect(given()).toEqual(["Answer in Danish.", "Name the source."]);
  });

  it("are switched off for a chat by its parameters, also by stored ones", async () => {
    await set({ system: "Answer in Danish." });
    const id = await begin({ params: { personal_instructions: false } });
    expect(given()).toBeUndefined();
    await begin({ chat_id: id, parent_id: undefined });
    expect(given()).toBeUndefined();
    await world.call(`/api/v1/chats/${id}`, { as: ada, json: { chat: { params: {} } } });
    await begin({ chat_id: id, parent_id: undefined });
    expect(given()).toEqual(["Answer in Danish."]);
  });

  it.each([[{}], [{ system: "" }], [{ system: 7 }], [{ system: { text: "no" } }], [[]]])(
    "are none in %j",
    async (ui) => {
      await set(ui);
      await begin();
      expect(given()).toBeUndefined();
    },
  );

  it("do not go with calls of programs, nor with turns of people who may set none", async () => {
    await set({ system: "Answer in Danish." });
    await world.db.insert(settings).values({
      name: "permissions.default",
      value: { chat: { system_prompt: false } },
      updatedAt: world.services.now(),
    });
    await begin();
    expect(given()).toBeUndefined();
    const { status } = await world.call("/api/chat/completions", {
      as: ada,
      json: {
        model: "parley-guide",
        messages: [{ role: "user", content: "Hi" }],
        params: { personal_instructions: true },
      },
    });
    expect(status).toBe(403);
  });
});
