import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sweepBlobs } from "../../../src/blobs/sweep-blobs.ts";
import { itemsKey, keptSeconds } from "../../../src/chat/responses-api/keep-response.ts";
import { sweepResponses } from "../../../src/chat/responses-api/sweep-responses.ts";
import { servicesWith } from "../../../src/context.ts";
import { streamBytes } from "../../fixtures/streams/stream-fixtures.ts";
import type { Script, ScriptedReply } from "../../fixtures/upstreams/scripted-upstream.ts";
import { checkResponses } from "../../grammar/responses.ts";
import type { Person } from "../../world.ts";
import { createMessagesWorld, type MessagesWorld, nativeModel } from "../messages-api/messages-world.ts";

type Json = Record<string, unknown>;

interface Answered {
  id: string;
  status: string;
  store: boolean;
  output: (Json & { id: string; type: string })[];
  previous_response_id: string | null;
  error: { message: string; code: string; param: string | null };
}
interface Page {
  data: (Json & { id: string })[];
  has_more: boolean;
  first_id: string | null;
  last_id: string | null;
}

let world: MessagesWorld;
let reply: ScriptedReply;
const chat: Script = () => reply;
beforeAll(async () => {
  world = await createMessagesWorld({ chat });
});
afterAll(() => world.close());
beforeEach(() => {
  world.upstream.requests.length = 0;
  world.provider.requests.length = 0;
  reply = { content: "From pier 3." };
});

const ask = (body: Json, as: Person = world.ada) =>
  world.call<Answered>("/api/responses", { as, json: { model: "chat", input: "Where?", ...body } });
const streamed = async (body: Json) => {
  const json = { model: "chat", input: "Where?", stream: true, ...body };
  const response = await world.request("/api/responses", { as: world.ada, json });
  return checkResponses(new Uint8Array(await response.arrayBuffer()));
};
const get = <T = Answered>(path: string, as: Person = world.ada) => world.call<T>(`/api/v1/responses/${path}`, { as });
const remove = (id: string, as: Person = world.ada) =>
  world.call<Json>(`/api/responses/${id}`, { method: "DELETE", as });
const said = () => world.upstream.requests.at(-1)!.messages.map(({ role, content }) => `${role}: ${String(content)}`);
const count = async () =>
  (await world.db.all<{ count: number }>(sql`SELECT count(*) AS count FROM stored_responses`))[0]!.count;

describe("what is kept", () => {
  test("can be gone on from, turn after turn, and is there when its stream says that it is", async () => {
    const first = await ask({ input: "My name is Ada.", instructions: "Be brief." });
    expect(first.body).toMatchObject({ status: "completed", store: true });
    reply = { content: "Ada." };
    const { response } = await streamed({ input: "Who am I?", previous_response_id: first.body.id });
    expect(response).toMatchObject({ previous_response_id: first.body.id, instructions: null });
    expect(said()).toEqual(["user: My name is Ada.", "assistant: From pier 3.", "user: Who am I?"]);
    await ask({ input: [{ role: "user", content: "Sure?" }], previous_response_id: response["id"] });
    expect(said()).toHaveLength(5);
    expect(said().slice(-2)).toEqual(["assistant: Ada.", "user: Sure?"]);
  });

  test("has the calls and waits for their results", async () => {
    reply = { calls: [{ name: "get_pier", arguments: { ferry: "Möwe" } }] };
    const tools = [{ type: "function", name: "get_pier", parameters: { type: "object", properties: {} } }];
    const { body } = await ask({ tools });
    const [call] = body.output;
    reply = { content: "Pier 3." };
    const output = { type: "function_call_output", call_id: call!["call_id"], output: "3" };
    await ask({ input: [output], previous_response_id: body.id, tools });
    expect(world.upstream.requests.at(-1)!.messages).toMatchObject([
      { role: "user", content: "Where?" },
      { role: "assistant", tool_calls: [{ id: call!["call_id"], function: { name: "get_pier" } }] },
      { role: "tool", tool_call_id: call!["call_id"], content: "3" },
    ]);
  });

  test("can be read again, and its input page by page", async () => {
    const input = [1, 2, 3].map((number) => ({ role: "user", content: `Part ${number}` }));
    const { body } = await ask({ input });
    expect((await get(body.id)).body).toEqual(body);
    const all = await get<Page>(`${body.id}/input_items?order=asc`);
    expect(all.body).toMatchObject({ has_more: false, data: input.map(() => ({ type: "message", role: "user" })) });
    expect(all.body.data[0]).toMatchObject({ content: [{ type: "input_text", text: "Part 1" }] });
    const page = await get<Page>(`${body.id}/input_items?limit=2`);
    expect(page.body).toMatchObject({ has_more: true, first_id: all.body.data[2]!.id, last_id: all.body.data[1]!.id });
    const rest = await get<Page>(`${body.id}/input_items?limit=2&after=${page.body.last_id}`);
    expect(rest.body.data).toEqual([all.body.data[0]]);
    expect((await get(`${body.id}/input_items?after=msg_x`)).status).toBe(404);
    expect((await get(`${body.id}/input_items?limit=0`)).status).toBe(422);
  });

  test("has items that can be named by their ids alone", async () => {
    const { body } = await ask({ input: "My name is Ada." });
    const [item] = body.output;
    const { body: asked } = await get<Page>(`${body.id}/input_items`);
    const reference = (id: string) => ({ type: "item_reference", id });
    const input = [reference(asked.data[0]!.id), reference(item!.id), { role: "user", content: "Who?" }];
    const next = await ask({ input });
    expect(next.status).toBe(200);
    expect(said()).toEqual(["user: My name is Ada.", "assistant: From pier 3.", "user: Who?"]);
    // What was meant is kept, not the names: the first one may be deleted.
    await remove(body.id);
    await ask({ input: "Sure?", previous_response_id: next.body.id });
    expect(said()).toHaveLength(5);
    for (const id of [item!.id, "msg_1", `${item!.id}9`]) {
      const { status, body: refused } = await ask({ input: [reference(id)] });
      expect(status, id).toBe(404);
      expect(refused.error.param).toBe("input");
    }
  });

  test("is nobody else's, and gone when it is deleted, with what goes on from it", async () => {
    const { body } = await ask({});
    const next = await ask({ previous_response_id: body.id });
    const [other, admin] = [await world.person({ role: "user" }), await world.admin()];
    for (const somebody of [other, admin]) {
      expect((await get(body.id, somebody)).status).toBe(404);
      expect((await get(`${body.id}/input_items`, somebody)).status).toBe(404);
      expect((await remove(body.id, somebody)).status).toBe(404);
      expect((await ask({ previous_response_id: body.id }, somebody)).status).toBe(404);
      const named = await ask({ input: [{ type: "item_reference", id: body.output[0]!.id }] }, somebody);
      expect(named.status).toBe(404);
    }
    expect((await remove(body.id)).body).toEqual({ id: body.id, object: "response", deleted: true });
    expect((await remove(body.id)).status).toBe(404);
    expect((await get(body.id)).status).toBe(404);
    expect((await get(next.body.id)).status).toBe(200);
    const after = await ask({ previous_response_id: next.body.id });
    expect(after).toMatchObject({ status: 404, body: { error: { param: "previous_response_id" } } });
  });

  test("goes to object storage where it is large, and leaves it with its row", async () => {
    const long = "Möwe ".repeat(20_000);
    const { body } = await ask({ input: long });
    expect(await world.services.blobs.get(itemsKey(body.id))).toBeDefined();
    expect((await get(body.id)).body).toEqual(body);
    await ask({ input: "So?", previous_response_id: body.id });
    expect(said()[0]).toBe(`user: ${long}`);
    await remove(body.id);
    await sweepBlobs(world.services);
    expect(await world.services.blobs.get(itemsKey(body.id))).toBeUndefined();
  });

  test("is kept for thirty days", async () => {
    const { body } = await ask({});
    const before = await count();
    const later = servicesWith(world.services, { now: () => world.services.now() + keptSeconds - 60 });
    await sweepResponses(later);
    expect(await count()).toBe(before);
    await world.db.run(sql`UPDATE stored_responses SET expires_at = ${world.services.now() - 1} WHERE id = ${body.id}`);
    expect((await get(body.id)).status).toBe(404);
    expect((await ask({ previous_response_id: body.id })).status).toBe(404);
    await sweepResponses(world.services);
    expect(await count()).toBe(before - 1);
  });
});

describe("what is not kept", () => {
  test("is what nobody wants kept, what is too large, and what failed", async () => {
    const before = await count();
    const { body } = await ask({ store: false });
    expect(body.store).toBe(false);
    expect((await get(body.id)).status).toBe(404);
    expect((await ask({ previous_response_id: body.id })).status).toBe(404);
    expect((await ask({ input: "x".repeat(9_000_000) })).body.store).toBe(false);
    reply = { refusal: { status: 400, error: { message: "No" } } };
    expect((await ask({})).status).toBe(400);
    expect(await count()).toBe(before);
  });

  test("is what people say who keep nothing", async () => {
    const before = await count();
    await world.call("/api/v1/users/default/permissions", {
      as: await world.admin(),
      json: { chat: { temporary_enforced: true } },
    });
    const { status, body } = await ask({});
    await world.call("/api/v1/users/default/permissions", {
      as: await world.admin(),
      json: { chat: { temporary_enforced: false } },
    });
    expect([status, body.store]).toEqual([200, false]);
    expect(await count()).toBe(before);
  });

  test("is what its client left, which lets the provider go", async () => {
    const before = await count();
    reply = { content: "One moment", endless: true };
    const leave = new AbortController();
    const json = { model: "chat", input: "Where?", stream: true };
    const response = await world.request("/api/responses", { as: world.ada, json, signal: leave.signal });
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    leave.abort();
    expect(await world.upstream.exchanges.at(-1)!.over).toBe("left");
    await world.settled();
    expect(await count()).toBe(before);
  });
});

describe("a provider of the Messages API", () => {
  const model = nativeModel;
  const question = { input: "Which pier?", model };
  const tools = [{ type: "function", name: "get_weather", parameters: { type: "object", properties: {} } }];
  beforeEach(() => {
    const events = [streamBytes({ name: "messages-native/thinking-tools" })];
    world.provider.replies = { messages: () => ({ events }) };
  });
  const thoughtsSent = () => {
    const { messages } = world.provider.requests.at(-1)!.body as { messages: { content: Json[] }[] };
    return messages.flatMap(({ content }) => content.filter(({ type }) => type === "thinking"));
  };
  const results = (output: Json[]) =>
    output
      .filter(({ type }) => type === "function_call")
      .map((call) => ({ type: "function_call_output", call_id: call["call_id"], output: "3" }));

  test("gets its thoughts back with the results, from what is kept", async () => {
    const { response, items } = await streamed({ ...question, tools });
    expect(items[0]).not.toHaveProperty("encrypted_content");
    await ask({ model, input: results(items), previous_response_id: response["id"], tools });
    expect(thoughtsSent()).toMatchObject([{ signature: expect.stringMatching(/./) as string }]);
    expect((await get(String(response["id"]))).body.output[0]).not.toHaveProperty("encrypted_content");
    const shown = await get(`${String(response["id"])}?include[]=reasoning.encrypted_content`);
    expect(shown.body.output[0]).toMatchObject({ encrypted_content: expect.stringMatching(/./) as string });
  });

  test("or from what its client carries along, and not from others' marks", async () => {
    const include = ["reasoning.encrypted_content"];
    const { items } = await streamed({ ...question, tools, store: false, include });
    const input = [{ role: "user", content: "Which pier?" }, ...items, ...results(items)];
    await ask({ model, input, tools, store: false });
    expect(thoughtsSent()).toHaveLength(1);
    const strange = input.map((item) => ("encrypted_content" in item ? { ...item, encrypted_content: "gAAAA" } : item));
    await ask({ model, input: strange, tools, store: false });
    expect(thoughtsSent()).toHaveLength(0);
    // Nor does anybody else get them.
    await ask({ input, tools, store: false });
    expect(JSON.stringify(world.upstream.requests.at(-1))).not.toContain("thinking_blocks");
  });

  test("that breaks off ends the stream as failed, with what was said", async () => {
    const before = await count();
    const text = new TextDecoder().decode(streamBytes({ name: "messages-native/text" }));
    const begun = text.slice(0, text.indexOf("event: content_block_stop"));
    world.provider.replies = { messages: () => ({ events: [begun], then: "cut" }) };
    const { response, items } = await streamed(question);
    expect(response).toMatchObject({ status: "failed", error: { code: "server_error" } });
    expect(items).toMatchObject([{ type: "message", status: "incomplete" }]);
    expect(await count()).toBe(before);
  });
});

test("an answer that is not kept costs one round trip, one that is kept one more, and one that goes on one more", async () => {
  const costOf = async (body: Json) => {
    await world.settled();
    world.roundTrips.reset();
    const answer = await ask(body);
    expect(answer.status).toBe(200);
    return { cost: world.roundTrips.count, id: answer.body.id };
  };
  await ask({});
  expect((await costOf({ store: false })).cost).toBe(1);
  const { cost, id } = await costOf({});
  expect(cost).toBe(2);
  expect((await costOf({ previous_response_id: id })).cost).toBe(3);
});
