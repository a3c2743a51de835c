import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createWorld, type Person, type World } from "../../world.ts";

let world: World;
let admin: Person;
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(async () => {
  vi.useRealTimers();
  await world.close();
});

async function start(...limits: string[]): Promise<void> {
  world = await createWorld({
    environment: {
      RATE_LIMITS: limits.join(";"),
      ENABLE_API_KEYS: "true",
      CLIENT_ADDRESS_HEADER: "x-caller",
    },
  });
  admin = await world.admin();
}

const read = (as?: Person | string, address = "192.0.2.7") =>
  world.request("/api/v1/chats/", { headers: { "x-caller": address }, ...(as ? { as } : {}) });
const statuses = async (count: number, ask: () => Promise<Response>) => {
  const found: number[] = [];
  for (let turn = 0; turn < count; turn++) found.push((await ask()).status);
  return found;
};

describe("requests in a minute", () => {
  test("have no limit without a setting", async () => {
    await start();
    expect(new Set(await statuses(50, () => read(admin)))).toEqual(new Set([200]));
  });

  test("of a person are counted, and come back with time; other people are not concerned", async () => {
    await start("person.reads=3");
    const other = await world.person();
    expect(await statuses(5, () => read(admin))).toEqual([200, 200, 200, 429, 429]);
    expect((await read(other)).status).toBe(200);
    const refused = await read(admin);
    expect(refused.headers.get("retry-after")).toBe("20");
    expect(await refused.json()).toMatchObject({
      detail: "You can make 3 requests that read a minute: try again later",
    });
    vi.advanceTimersByTime(20_000);
    expect(await statuses(2, () => read(admin))).toEqual([200, 429]);
  });

  test("are counted by class; what one limit refuses is not taken from another", async () => {
    await start("person.all=3", "person.writes=1");
    const write = () => world.request("/api/v1/chats/new", { json: { chat: { title: "Pier" } }, as: admin });
    expect((await write()).status).toBe(200);
    // Refused as a write, so that two reads are left.
    expect((await write()).status).toBe(429);
    expect(await statuses(3, () => read(admin))).toEqual([200, 200, 429]);
  });

  test("of models are refused in the dialect of the API, before the body is read", async () => {
    await start("person.models=1");
    const ask = (path: string) => world.call(path, { json: { model: "nothing", messages: [] }, as: admin });
    await ask("/api/chat/completions");
    expect((await ask("/api/chat/completions")).body).toMatchObject({
      error: { code: "too_many_requests", message: expect.stringContaining("1 calls of models a minute") as string },
    });
    expect((await ask("/api/v1/messages")).body).toMatchObject({ type: "error", error: { type: "rate_limit_error" } });
    expect((await ask("/api/v1/responses")).status).toBe(429);
    expect((await ask("/api/embeddings")).status).toBe(429);
    expect((await ask("/localmodel/api/chat")).status).toBe(429);
  });

  test("of an organization are those of all its people", async () => {
    await start("organization.searches=2");
    const [one, two] = [await world.person(), await world.person()];
    const search = (as: Person) => world.request("/api/v1/users/search?query=a", { as });
    expect((await search(one)).status).toBe(200);
    expect((await search(two)).status).toBe(200);
    expect((await search(one)).status).toBe(429);
  });

  test("of a key leave the person's own alone", async () => {
    await start("key.all=2");
    const { body } = await world.call<{ api_key: string }>("/api/v1/auths/api_key", { method: "POST", as: admin });
    expect(await statuses(3, () => read(body.api_key))).toEqual([200, 200, 429]);
    expect((await read(admin)).status).toBe(200);
  });

  test("without signing in are those of a network; this machine has no limit", async () => {
    await start("address.all=2");
    const config = (address: string) => world.request("/api/config", { headers: { "x-caller": address } });
    expect(await statuses(2, () => config("198.51.100.1"))).toEqual([200, 200]);
    expect((await config("198.51.100.200")).status).toBe(429);
    expect((await config("203.0.113.1")).status).toBe(200);
    expect(new Set(await statuses(4, () => config("127.0.0.1")))).toEqual(new Set([200]));
    expect((await read(admin, "198.51.100.1")).status).toBe(200);
  });

  test("change with the setting, at the next request", async () => {
    await start();
    const set = (entries: string[]) =>
      world.call("/api/v1/auths/admin/config", { json: { RATE_LIMITS: entries }, as: admin });
    expect((await set(["person.reads=1"])).status).toBe(200);
    expect(await statuses(2, () => read(admin))).toEqual([200, 429]);
    for (const wrong of ["person.reads=0", "people.reads=5", "person.reads", "person.reads=-1"])
      expect((await set([wrong])).status).toBe(422);
    await set([]);
    expect((await read(admin)).status).toBe(200);
  });
});
