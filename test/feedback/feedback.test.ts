import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { defaultOrganizationId } from "../../src/people/organizations/default-organization.ts";
import { createWorld, type Person, type World } from "../world.ts";

interface Feedback {
  id: string;
  data: Record<string, unknown>;
  meta: Record<string, unknown>;
  snapshot: unknown;
}

const base = "/api/v1/evaluations";
let world: World;
let admin: Person;
let ada: Person;
let bo: Person;
let clock = 1_800_000_000;

beforeEach(async () => {
  clock = 1_800_000_000;
  world = await createWorld({ services: { now: () => clock } });
  admin = await world.admin();
  [ada, bo] = [await world.person({ name: "Ada" }), await world.person({ name: "Bo" })];
});
afterEach(() => world.close());

async function makeChat(as: Person): Promise<string> {
  const message = (id: string, parentId: string | null, role: string, childrenIds: string[]) => ({
    id,
    parentId,
    childrenIds,
    role,
    content: id,
    ...(role === "assistant" ? { model: "tide" } : {}),
  });
  const { body } = await world.call<{ id: string }>("/api/v1/chats/new", {
    as,
    json: {
      chat: {
        title: "Tides",
        history: {
          currentId: "a",
          messages: { q: message("q", null, "user", ["a"]), a: message("a", "q", "assistant", []) },
        },
      },
    },
  });
  return body.id;
}
const messageOf = async (as: Person, chat: string) =>
  (
    await world.call<{ chat: { history: { messages: Record<string, Record<string, unknown>> } } }>(
      `/api/v1/chats/${chat}`,
      { as },
    )
  ).body.chat.history.messages["a"]!;
const give = (as: Person, json: object) => world.call<Feedback & { detail: string }>(`${base}/feedback`, { as, json });
const rate = (as: Person, chat: string, data: object = {}, more: object = {}) =>
  give(as, {
    type: "rating",
    data: { model_id: "tide", rating: 1, ...data },
    meta: { chat_id: chat, message_id: "a" },
    ...more,
  });
const snapshot = { chat: { title: "Tides", history: { currentId: "a", messages: {} } } };

describe("a rating", () => {
  test("is stored, shown with the message, changed by a second one, and removed with its note", async () => {
    const chat = await makeChat(ada);
    const { status, body } = await rate(ada, chat, { rating: "1", reason: "other", details: { rating: 8 } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ version: 0, type: "rating", data: { rating: 1, reason: "other" }, snapshot: null });
    expect(await messageOf(ada, chat)).toMatchObject({
      feedbackId: body.id,
      annotation: { rating: 1, reason: "other", details: { rating: 8 } },
    });
    clock += 10;
    const again = await rate(ada, chat, { rating: -1, comment: "Wrong" });
    expect(again.body).toMatchObject({ id: body.id, created_at: clock - 10, updated_at: clock });
    const changed = await world.call<Feedback>(`${base}/feedback/${body.id}`, {
      as: ada,
      json: { data: { rating: -1, comment: "Quite wrong" }, meta: { chat_id: "other", message_id: "other" } },
    });
    expect(changed.body).toMatchObject({ data: { comment: "Quite wrong" }, meta: { chat_id: chat, message_id: "a" } });
    expect(await messageOf(ada, chat)).toMatchObject({ annotation: { rating: -1, comment: "Quite wrong" } });
    const remove = () => world.call(`${base}/feedback/${body.id}`, { as: ada, method: "DELETE" });
    expect(await remove()).toMatchObject({ status: 200, body: true });
    expect((await remove()).status).toBe(404);
    const message = await messageOf(ada, chat);
    expect(message).not.toHaveProperty("annotation");
    expect(message).not.toHaveProperty("feedbackId");
  });

  test("twice at the same moment is one", async () => {
    const chat = await makeChat(ada);
    const answers = await Promise.all([1, -1, 1, -1].map((rating) => rate(ada, chat, { rating })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await world.call(`${base}/feedbacks/user`, { as: ada })).body).toMatchObject({ total: 1 });
  });

  test("of another's message, or of none, is unknown", async () => {
    const chat = await makeChat(ada);
    expect((await rate(bo, chat)).status).toBe(404);
    expect((await give(ada, { type: "rating", meta: { chat_id: chat, message_id: "gone" } })).status).toBe(404);
    expect((await rate(admin, chat)).status).toBe(404);
    expect(await messageOf(ada, chat)).not.toHaveProperty("annotation");
    // Without a message it is about a model.
    expect((await give(bo, { type: "rating", data: { rating: 1, model_id: "tide" } })).status).toBe(200);
  });

  test.each([
    { type: "rating", data: { rating: 2 } },
    { type: "rating", data: { rating: 1, details: { rating: 11 } } },
    { type: "rating", data: { rating: 1, comment: "x".repeat(4001) } },
    { type: "rating", data: { rating: 1, more: "x".repeat(21_000) } },
    { type: "rating", meta: { share_chat: true }, snapshot: { chat: { text: "x".repeat(500_001) } } },
    { type: "", data: {} },
    { data: { rating: 1 } },
  ])("in the wrong form is refused: %#", async (json) => {
    expect((await give(ada, json)).status).toBe(422);
  });

  test("needs the permission and the switch; taking it back does not", async () => {
    const { body } = await rate(ada, await makeChat(ada));
    await world.client.execute(`INSERT INTO settings VALUES ('ENABLE_MESSAGE_RATING', 'false', 0)`);
    expect((await rate(ada, await makeChat(ada))).status).toBe(403);
    expect((await world.call(`${base}/feedback/${body.id}`, { as: ada, json: {} })).status).toBe(403);
    expect((await world.call<{ features: object }>("/api/config", { as: ada })).body.features).toMatchObject({
      enable_message_rating: false,
    });
    expect((await world.call(`${base}/feedback/${body.id}`, { as: ada, method: "DELETE" })).status).toBe(200);
    await world.client.execute("DELETE FROM settings");
    await world.call("/api/v1/users/default/permissions", { as: admin, json: { chat: { rate_response: false } } });
    expect((await rate(ada, await makeChat(ada))).status).toBe(403);
    expect((await rate(admin, await makeChat(admin))).status).toBe(200);
  });

  test("is the person's own: others see, change and delete nothing of it; administrators read and delete", async () => {
    const { body } = await rate(ada, await makeChat(ada));
    const path = `${base}/feedback/${body.id}`;
    for (const [as, read, change] of [
      [bo, 404, 404],
      [admin, 200, 404],
    ] as const) {
      expect((await world.call(path, { as })).status).toBe(read);
      expect((await world.call(path, { as, json: { data: { rating: -1 } } })).status).toBe(change);
    }
    expect((await world.call(path, { as: bo, method: "DELETE" })).status).toBe(404);
    await rate(bo, await makeChat(bo));
    expect(await world.call(`${base}/feedbacks`, { as: bo, method: "DELETE" })).toMatchObject({ body: true });
    expect(await world.call(`${base}/feedbacks`, { as: bo, method: "DELETE" })).toMatchObject({ body: false });
    expect((await world.call(path, { as: ada })).status).toBe(200);
    expect((await world.call(path, { as: admin, method: "DELETE" })).status).toBe(200);
  });

  test("brings the conversation along only where its owner allows it, as long as they do", async () => {
    const chat = await makeChat(ada);
    const { body } = await rate(ada, chat, {}, { snapshot });
    expect(body.snapshot).toBeNull();
    const path = `${base}/feedback/${body.id}`;
    const share = (share_chat: boolean) =>
      world.call<Feedback>(path, { as: ada, json: { meta: { share_chat }, snapshot } });
    expect((await share(true)).body.snapshot).toEqual(snapshot);
    expect((await world.call<Feedback>(path, { as: admin })).body.snapshot).toEqual(snapshot);
    // Saying more does not take it back.
    await world.call(path, { as: ada, json: { data: { rating: 1, comment: "More" } } });
    const { body: page } = await world.call<{ items: object[] }>(`${base}/feedbacks/list`, { as: admin });
    expect(page.items).toMatchObject([{ has_chat: true, user: { name: "Ada" } }]);
    expect(page.items[0]).not.toHaveProperty("snapshot");
    expect((await share(false)).body.snapshot).toBeNull();
    expect((await world.call<Feedback>(path, { as: admin })).body.snapshot).toBeNull();
  });
});

describe("administrators", () => {
  async function fill(): Promise<void> {
    await rate(ada, await makeChat(ada), { reason: "too_verbose", rating: -1, details: { rating: 3 } });
    clock += 86_400;
    await rate(ada, await makeChat(ada), { details: { rating: 8 }, comment: '=SUM(A1), "quoted"' }, { snapshot });
    await rate(bo, await makeChat(bo), { model_id: "fog" });
  }

  test("list, filter and sort what is said", async () => {
    await fill();
    const list = async (query: Record<string, string>) =>
      (
        await world.call<{ items: { data: Record<string, unknown> }[]; total: number }>(
          `${base}/feedbacks/list?${new URLSearchParams(query)}`,
          { as: admin },
        )
      ).body;
    expect(await list({})).toMatchObject({ total: 3 });
    expect(await list({ model_id: "fog" })).toMatchObject({ total: 1, items: [{ data: { model_id: "fog" } }] });
    expect(await list({ rating: "-1" })).toMatchObject({ total: 1, items: [{ data: { reason: "too_verbose" } }] });
    expect(await list({ organization_id: defaultOrganizationId })).toMatchObject({ total: 3 });
    expect(await list({ organization_id: "elsewhere" })).toEqual({ items: [], total: 0 });
    expect(await list({ page: "2" })).toEqual({ items: [], total: 3 });
    const names = (await list({ order_by: "username", direction: "asc" })).items.map((item) => item.data["model_id"]);
    expect(names).toEqual(["tide", "tide", "fog"]);
    expect((await world.call(`${base}/feedbacks/models`, { as: admin })).body).toEqual(["fog", "tide"]);
    expect((await world.call<unknown[]>(`${base}/feedbacks/all/ids`, { as: admin })).body).toHaveLength(3);
  });

  test("see models and days", async () => {
    await fill();
    expect((await world.call(`${base}/summary?days=2`, { as: admin })).body).toEqual({
      models: [
        { model_id: "tide", good: 1, bad: 1, score: 5.5, reasons: [{ reason: "too_verbose", count: 1 }] },
        { model_id: "fog", good: 1, bad: 0, score: null, reasons: [] },
      ],
      days: [
        { date: "2027-01-15", good: 0, bad: 1 },
        { date: "2027-01-16", good: 2, bad: 0 },
      ],
    });
    expect((await world.call(`${base}/summary?days=1&model_id=tide`, { as: admin })).body).toMatchObject({
      models: [{ good: 1, bad: 0 }],
      days: [{ good: 1, bad: 0 }],
    });
  });

  test("export everything as JSON, and without conversations as CSV that no spreadsheet runs", async () => {
    for (let number = 0; number < 45; number++) await rate(ada, await makeChat(ada), { comment: `n${number}` });
    await fill();
    const { body } = await world.call<Feedback[]>(`${base}/feedbacks/all/export`, { as: admin });
    expect(body).toHaveLength(48);
    expect(new Set(body.map(({ id }) => id)).size).toBe(48);
    const filtered = await world.call<Feedback[]>(`${base}/feedbacks/all/export?model_id=fog`, { as: admin });
    expect(filtered.body).toHaveLength(1);
    const csv = await world.request(`${base}/feedbacks/all/export/csv?model_id=tide&rating=1`, { as: admin });
    expect(csv.headers.get("content-disposition")).toMatch(/filename="ratings-2027-01-16\.csv"/);
    const text = await csv.text();
    expect(text.split("\r\n")).toHaveLength(1 + 46 + 1);
    expect(text).toContain(`,Ada,${ada.email},`);
    expect(text).toContain(`"'=SUM(A1), ""quoted"""`);
    expect(text).not.toContain("currentId");
  });

  test("delete everything at once", async () => {
    await fill();
    const chat = await makeChat(bo);
    await rate(bo, chat);
    expect(await world.call(`${base}/feedbacks/all`, { as: admin, method: "DELETE" })).toMatchObject({ body: true });
    expect(await world.call(`${base}/feedbacks/all`, { as: admin, method: "DELETE" })).toMatchObject({ body: false });
    expect(await messageOf(bo, chat)).not.toHaveProperty("annotation");
  });
});

test("each request takes one round trip beside the caller's", async () => {
  const chat = await makeChat(ada);
  const { body } = await rate(ada, chat);
  const count = async (request: () => Promise<unknown>) => {
    world.roundTrips.reset();
    await request();
    return world.roundTrips.count;
  };
  expect(await count(() => rate(ada, chat))).toBe(2);
  expect(await count(() => world.call(`${base}/feedbacks/list`, { as: admin }))).toBe(2);
  expect(await count(() => world.call(`${base}/summary`, { as: admin }))).toBe(2);
  expect(await count(() => world.call(`${base}/feedback/${body.id}`, { as: ada, method: "DELETE" }))).toBe(2);
});
