import { afterAll, beforeAll, expect, test } from "vitest";
import { createApp, declaredRoutes } from "../../src/app.ts";
import { createWorld, origin, type Person, type World } from "../world.ts";

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  admin = await world.admin();
});
afterAll(() => world.close());

const reads = declaredRoutes(createApp().routes).filter(({ method }) => method === "GET");
const pathOf = (pattern: string) =>
  pattern.replaceAll(/:[^/]+(\{[^}]*\})?/g, "0192d3a0-0000-7000-8000-000000000000").replace("*", "nothing");

/** As workerd gives it to the service: `new Request` refuses to make a read with a body. */
function readWithBody(method: string, path: string, body: string): Request {
  const headers = { authorization: `Bearer ${admin.token}`, "content-type": "application/json" };
  return Object.defineProperty(new Request(new URL(path, origin), { method: "POST", headers, body }), "method", {
    value: method,
  });
}

async function statusOf(answer: Response | Promise<Response>): Promise<number> {
  const { status, body } = await answer;
  await body?.cancel();
  return status;
}

test.each(reads.flatMap(({ path }) => [`GET ${path}`, `HEAD ${path}`]))(
  "%s is answered as if it had no body",
  async (name) => {
    const [method, pattern] = name.split(" ") as [string, string];
    const path = pathOf(pattern);
    const plain = await statusOf(world.request(path, { method, as: admin }));
    for (const body of ['{"model": 1}', "{ this is not JSON"])
      expect(await statusOf(world.app.fetch(readWithBody(method, path, body), world.services))).toBe(plain);
  },
);
