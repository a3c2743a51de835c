import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { settings } from "../../src/db/tables.ts";
import type { PromptPage, PromptVersion, PromptView } from "../../src/prompts/schema.ts";
import { type BaseWorld, createBaseWorld } from "../documents/knowledge/base-world.ts";
import type { Person } from "../world.ts";

let world: BaseWorld;
let ada: Person;
let grace: Person;
let harbour: string;

const path = "/api/v1/prompts";
const readers = (id: string, permission: "read" | "write" = "read") => ({
  access_grants: [{ principal_type: "user", principal_id: id, permission }],
});

beforeAll(async () => {
  world = await createBaseWorld();
  await world.db.insert(settings).values({
    name: "permissions.default",
    value: { workspace: { prompts: true }, sharing: { prompts: true } },
    updatedAt: world.services.now(),
  });
  harbour = await world.organization();
});
afterAll(() => world.close());
beforeEach(async () => {
  [ada, grace] = await Promise.all([world.person(), world.person()]);
});

async function make(owner: Person, values: Record<string, unknown> = {}): Promise<PromptView> {
  const { status, body } = await world.call<PromptView>(`${path}/create`, {
    as: owner,
    json: { command: "/tides", name: "Tides", content: "When is high water in {{place}}?", ...values },
  });
  if (status !== 200) throw new Error(`create answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
const change = (as: Person, id: string, json: unknown) =>
  world.call<PromptView>(`${path}/id/${id}/update`, { as, json });
const history = async (id: string) => (await world.call<PromptVersion[]>(`${path}/id/${id}/history`, { as: ada })).body;
const list = async (as: Person, query = "") =>
  (await world.call<PromptPage>(`${path}/list${query}`, { as })).body.items.map((prompt) => prompt.command);

test("a prompt is made, found by its command, changed, switched off and deleted", async () => {
  const made = await make(ada, { tags: ["sea", "sea", "plans"] });
  expect(made).toMatchObject({
    command: "tides",
    name: "Tides",
    tags: ["sea", "plans"],
    is_active: true,
    user: { id: ada.id, name: ada.name },
    access_grants: [],
    write_access: true,
  });
  expect((await world.call(`${path}/command/tides`, { as: ada })).body).toMatchObject({ id: made.id });
  expect((await world.call(`${path}/id/${made.id}`, { as: ada })).body).toEqual(made);
  expect((await world.call<PromptView[]>(`${path}/`, { as: ada })).body).toEqual([made]);
  expect((await world.call(`${path}/tags`, { as: ada })).body).toEqual(["plans", "sea"]);

  const changed = await change(ada, made.id, { title: "High water", content: "When?" });
  expect(changed.body).toMatchObject({ name: "High water", content: "When?", command: "tides" });
  expect((await world.call(`${path}/id/${made.id}/toggle`, { method: "POST", as: ada })).body).toMatchObject({
    is_active: false,
  });
  const wanted = (json: unknown) => world.call<PromptView>(`${path}/id/${made.id}/toggle`, { json, as: ada });
  for (const isActive of [true, true, false, false])
    expect((await wanted({ is_active: isActive })).body.is_active).toBe(isActive);
  expect(await list(ada)).toEqual(["tides"]);
  expect(await list(ada, "?offered=true")).toEqual([]);

  expect((await world.call(`${path}/id/${made.id}/delete`, { method: "DELETE", as: ada })).body).toBe(true);
  expect((await world.call(`${path}/id/${made.id}`, { as: ada })).status).toBe(404);
  expect((await world.call(`${path}/id/${made.id}/delete`, { method: "DELETE", as: ada })).status).toBe(404);
});

test("each person has a command once, however often they ask at the same time", async () => {
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      world.call<{ detail: string }>(`${path}/create`, {
        as: ada,
        json: { command: "tides", name: "Tides", content: "When?" },
      }),
    ),
  );
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400, 400, 400]);
  expect(answers.find(({ status }) => status === 400)?.body.detail).toBe(
    "A prompt with the command /tides already exists",
  );
  expect(await list(ada)).toEqual(["tides"]);
  await make(grace);
  const other = await make(ada, { command: "ebb" });
  expect((await change(ada, other.id, { command: "tides" })).status).toBe(400);
  expect((await history(other.id)).length).toBe(1);
});

describe("versions", () => {
  test("are made by each new text, and can be gone back to and forgotten", async () => {
    const { id } = await make(ada, { commit_message: "First" });
    await change(ada, id, { content: "Two", commit_message: "Shorter" });
    await change(ada, id, { content: "Two", is_active: true });
    const [second, first] = await history(id);
    expect([second, first]).toMatchObject([
      { parent_id: first!.id, snapshot: { content: "Two" }, commit_message: "Shorter", user: { name: ada.name } },
      { parent_id: null, snapshot: { content: "When is high water in {{place}}?" }, commit_message: "First" },
    ]);
    const use = (version: string) =>
      world.call<PromptView>(`${path}/id/${id}/update/version`, { as: ada, json: { version_id: version } });
    expect((await use(first!.id)).body).toMatchObject({
      content: "When is high water in {{place}}?",
      version_id: first!.id,
    });
    const forget = (version: string) =>
      world.call(`${path}/id/${id}/history/${version}`, { method: "DELETE", as: ada });
    expect((await forget(first!.id)).status).toBe(409);
    expect((await forget(second!.id)).body).toBe(true);
    expect((await forget(second!.id)).status).toBe(404);
    expect((await use(second!.id)).status).toBe(404);
    expect((await history(id)).map((version) => version.id)).toEqual([first!.id]);
  });

  test("of another prompt are none of this one", async () => {
    const [one, other] = [await make(ada), await make(ada, { command: "ebb" })];
    const json = { version_id: other.version_id };
    expect((await world.call(`${path}/id/${one.id}/update/version`, { as: ada, json })).status).toBe(404);
    expect((await world.call(`${path}/id/${one.id}/history/${other.version_id}`, { as: ada })).status).toBe(404);
  });

  test("that are old go, but not the one in use", async () => {
    const { id, version_id: first } = await make(ada);
    for (let turn = 0; turn < 50; turn++) await change(ada, id, { content: `Text ${turn}` });
    expect((await history(id)).length).toBe(50);
    await make(ada, { command: "ebb" });
    const oldest = (await history(id)).at(-1)!;
    expect(oldest.id).not.toBe(first);
    await world.call(`${path}/id/${id}/update/version`, { as: ada, json: { version_id: oldest.id } });
    await change(ada, id, { name: "Anew" });
    expect((await history(id)).at(-1)?.snapshot.content).toBe("Text 1");
  }, 60_000);
});

describe("others", () => {
  test("neither see nor change what is not shared, and may do what the grants say", async () => {
    const { id } = await make(ada);
    expect((await world.call(`${path}/id/${id}`, { as: grace })).status).toBe(404);
    expect((await world.call(`${path}/command/tides`, { as: grace })).status).toBe(404);
    expect((await change(grace, id, { content: "Mine" })).status).toBe(404);
    const share = (json: unknown) => world.call<PromptView>(`${path}/id/${id}/access/update`, { as: ada, json });
    expect((await share(readers(grace.id))).body.access_grants).toMatchObject([{ principal_id: grace.id }]);
    expect((await world.call(`${path}/id/${id}`, { as: grace })).body).toMatchObject({
      write_access: false,
      access_grants: [],
    });
    expect(await list(grace, "?offered=true&view_option=shared")).toEqual(["tides"]);
    expect((await change(grace, id, { content: "Mine" })).status).toBe(403);
    expect((await world.call(`${path}/id/${id}/history`, { as: grace })).status).toBe(403);
    await share(readers(grace.id, "write"));
    expect((await change(grace, id, { content: "Ours" })).body).toMatchObject({ content: "Ours", user_id: ada.id });
    await share({ access_grants: [] });
    expect((await world.call(`${path}/id/${id}`, { as: grace })).status).toBe(404);
  });

  test("find their own prompt by a command before one that is shared with them", async () => {
    await make(ada, { ...readers(grace.id), name: "Ada's" });
    expect((await world.call(`${path}/command/tides`, { as: grace })).body).toMatchObject({ name: "Ada's" });
    await make(grace, { name: "Grace's" });
    expect((await world.call(`${path}/command/%2Ftides`, { as: grace })).body).toMatchObject({ name: "Grace's" });
  });

  test("of another organization see only what was shared with everyone or with them as an organization", async () => {
    const admin = await world.admin();
    const { id } = await make(admin, { command: `t${crypto.randomUUID()}`, ...readers(grace.id) });
    expect((await world.call(`${path}/id/${id}`, { as: grace })).status).toBe(200);
    await world.setOrganization(grace, harbour);
    expect((await world.call(`${path}/id/${id}`, { as: grace })).status).toBe(404);
    await change(admin, id, { access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }] });
    expect((await world.call(`${path}/id/${id}`, { as: grace })).status).toBe(200);
    // An administrator may look after all prompts, and is not offered them in chats.
    const hers = await make(grace, { command: `g${crypto.randomUUID()}` });
    expect((await world.call(`${path}/id/${hers.id}`, { as: admin })).status).toBe(200);
    expect(await list(admin, `?offered=true&query=${hers.command}`)).toEqual([]);
  });

  test("who have moved leave their prompts behind, and begin anew with the same commands", async () => {
    const { id } = await make(ada);
    await world.setOrganization(ada, harbour);
    expect((await world.call(`${path}/id/${id}`, { as: ada })).status).toBe(404);
    expect((await make(ada)).id).not.toBe(id);
    expect(await list(ada, "?view_option=created")).toEqual(["tides"]);
  });

  test("cannot be given what the giver may not share", async () => {
    const everyone = { access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }] };
    const answer = await world.call<{ detail: string }>(`${path}/create`, {
      as: ada,
      json: { command: "tides", name: "Tides", content: "When?", ...everyone },
    });
    expect([answer.status, answer.body.detail]).toEqual([403, expect.stringContaining("sharing.public_prompts")]);
    expect(await list(ada, "?view_option=created")).toEqual([]);
  });
});

test("without the permission nobody makes prompts, and what they have stays theirs", async () => {
  const other = await createBaseWorld();
  try {
    const person = await other.person();
    const json = { command: "tides", name: "Tides", content: "When?" };
    expect((await other.call(`${path}/create`, { as: person, json })).status).toBe(403);
    expect((await other.call(`${path}/list`, { as: person })).body).toEqual({ items: [], total: 0 });
  } finally {
    await other.close();
  }
});

test.each([
  ["no name", { command: "tides", content: "When?" }],
  ["no content", { command: "tides", name: "Tides", content: "" }],
  ["a command of nothing", { command: "/", name: "Tides", content: "When?" }],
  ["a command with blanks", { command: "high water", name: "Tides", content: "When?" }],
  ["a command that is too long", { command: "x".repeat(61), name: "Tides", content: "When?" }],
  ["a text that is too long", { command: "tides", name: "Tides", content: "x".repeat(50_001) }],
  ["a name of two lines", { command: "tides", name: "Tides\nand ebb", content: "When?" }],
  ["tags that are none", { command: "tides", name: "Tides", content: "When?", tags: [7] }],
])("%s is refused", async (_name, json) => {
  expect((await world.call(`${path}/create`, { as: ada, json })).status).toBe(422);
  expect(await list(ada, "?view_option=created")).toEqual([]);
});

test("words are looked for in command, name and tags; what begins as typed comes first", async () => {
  for (const [command, name, tags] of [
    ["a-boat", "Boats", ["50%_off"]],
    ["boat", "Yachts", []],
    ["mail", "Mail about a boat", []],
    ["other", "Other", []],
  ] as const)
    await make(ada, { command, name, tags });
  expect(await list(ada, "?query=boat&offered=1")).toEqual(["boat", "a-boat", "mail"]);
  expect(await list(ada, "?query=50%25_")).toEqual(["a-boat"]);
  expect(await list(ada, `?tag=${encodeURIComponent("50%_off")}`)).toEqual(["a-boat"]);
  expect(await list(ada, "?view_option=created&order_by=command&direction=desc")).toEqual([
    "other",
    "mail",
    "boat",
    "a-boat",
  ]);
});
