import { beforeEach, expect, it } from "vitest";
import { settings } from "../../src/db/tables.ts";
import { useFilterWorld } from "./functions/filter-world.ts";

const here = useFilterWorld();
const temporary = "temporary:0199";
const wanted = { chat_id: temporary, params: { personal_instructions: true } };

beforeEach(() => write("Answer in Danish."));

const write = (system: unknown) =>
  here.world.call("/api/v1/users/user/settings/update", { as: here.ada, json: { ui: { system } } });
const body = () => here.asked().at(-1)!.body as { messages: { role: string; content: string }[] };
const given = () => body().messages.find(({ role }) => role === "system")?.content;

it("a person's own instructions count in a temporary chat that asks for them, before those of the chat", async () => {
  await here.ask(wanted);
  expect(given()).toBe("Answer in Danish.");
  expect(JSON.stringify(body())).not.toContain("personal_instructions");
  await here.ask({ ...wanted, stream: true, params: { ...wanted.params, system: "No jokes." } });
  expect(given()).toBe("Answer in Danish.\n\nNo jokes.");
});

it.each([
  ["calls of programs", { params: { personal_instructions: true } }],
  ["temporary chats of programs that do not ask", { chat_id: temporary }],
  ["chats that switch them off", { chat_id: temporary, params: { personal_instructions: false } }],
])("they do not go into %s", async (_, more) => {
  await here.ask(more);
  expect(given()).toBeUndefined();
});

it.each([[""], ["  "], [7], [{ text: "no" }]])("%j is no instruction", async (text) => {
  await write(text);
  await here.ask(wanted);
  expect(given()).toBeUndefined();
});

it("without the permission to write instructions the request is refused", async () => {
  await here.world.db.insert(settings).values({
    name: "permissions.default",
    value: { chat: { system_prompt: false } },
    updatedAt: here.world.services.now(),
  });
  expect((await here.ask(wanted)).status).toBe(403);
});
