import { afterEach, expect, test } from "vitest";
import { basePathOf, inBase, withoutBase } from "../../src/http/base-path.ts";
import { createWorld, type World } from "../world.ts";

let world: World | undefined;
afterEach(() => world?.close());

test.each([
  ["http://a.example/parley", "http://a.example/"],
  ["http://a.example/parley/", "http://a.example/"],
  ["http://a.example/parley?a=/b", "http://a.example/?a=/b"],
  ["http://a.example/parley/api//%2e%2e/x?y", "http://a.example/api//%2e%2e/x?y"],
  ["http://a.example/parley//evil.example/x", "http://a.example//evil.example/x"],
  ["http://a.example/parleyvous", undefined],
  ["http://a.example/", undefined],
  ["http://a.example/x/parley/", undefined],
  ["http://parley/parley", "http://parley/"],
])("%s is %s inside", (address, inside) => expect(withoutBase(address, "/parley")).toBe(inside));

test("only addresses inside the service get the base path", () => {
  const ctx = { origin: "https://a.example/x/parley" };
  expect(basePathOf("https://a.example")).toBe("");
  expect(inBase(ctx, "/sign-in?a")).toBe("/x/parley/sign-in?a");
  for (const other of ["https://b.example/", "//b.example/"]) expect(inBase(ctx, other)).toBe(other);
});

test.each(["https://chat.example", "https://chat.example/parley", "https://chat.example/parley/"])(
  "cookies and addresses have it once where WEBUI_URL is %s",
  async (address) => {
    world = await createWorld({ environment: { BASE_PATH: "/parley", WEBUI_URL: address } });
    const admin = await world.admin();
    const scim = await world.call<{ base_url: string }>("/api/v1/auths/admin/scim", { as: admin });
    expect(scim.body.base_url).toBe("https://chat.example/parley/api/v1/scim/v2");
    const entered = await world.request("/api/v1/auths/signup", {
      headers: { origin: "https://chat.example" },
      json: { name: "Ada", email: "ada@harbour.example", password: "correct horse" },
    });
    const [token, device] = entered.headers.getSetCookie();
    expect(token).toMatch(/; Path=\/parley; .*; Secure$/);
    expect(device).toMatch(/; Path=\/parley\/api\/v1\/auths; .*; Secure$/);
  },
);

test.each(["parley", "/parley/", "/", "/a b", "//a"])("BASE_PATH %j is refused", async (path) => {
  await expect(createWorld({ environment: { BASE_PATH: path } })).rejects.toThrow(/BASE_PATH is .*such as \/parley/);
});
