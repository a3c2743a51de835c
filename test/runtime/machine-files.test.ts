import { createExecutionContext } from "cloudflare:test";
import { expect, test } from "vitest";
import { Files } from "../../workers/machine/main.ts";

const page = { etag: "p", type: "text/html; charset=utf-8" };
const ui = {
  files: {
    "/index.html": page,
    "/frames/run.html": page,
    "/a b.js": { etag: "s", type: "text/javascript; charset=utf-8" },
  },
  headers: [
    {
      path: "/*",
      unset: [],
      set: [
        ["x-frame-options", "DENY"],
        ["x-kept", "1"],
      ] as [string, string][],
    },
    { path: "/frames/run*", unset: ["x-frame-options"], set: [["x-kept", "2"]] as [string, string][] },
  ],
};

function ask(address: string, init?: RequestInit) {
  const folder = { fetch: async (file: URL) => new Response(`file ${file.pathname}`) };
  const env = { UI: ui, UI_FOLDER: folder } as unknown as ConstructorParameters<typeof Files>[1];
  return new Files(createExecutionContext(), env).fetch(
    new Request(`http://ui${address}`, { redirect: "manual", ...init }),
  );
}

test.each([
  ["/", "file /index.html"],
  ["/frames/run", "file /frames/run.html"],
  ["/a%20b.js", "file /a%20b.js"],
])("%s is a file", async (address, text) => {
  const response = await ask(address);
  expect([response.status, await response.text()]).toEqual([200, text]);
  expect(response.headers.get("cache-control")).toBe("public, max-age=0, must-revalidate");
});

test.each([
  ["/index.html?a=1", "/?a=1"],
  ["/frames/run.html", "/frames/run"],
])("%s is at %s", async (address, moved) => {
  const response = await ask(address);
  expect([response.status, response.headers.get("location")]).toEqual([307, moved]);
});

test.each(["/gone.js", "/toString", "/frames/", "/%E0%A4%A"])("%s is none", async (address) => {
  expect((await ask(address)).status).toBe(404);
});

test("a file that the browser has is not sent again, and HEAD sends none", async () => {
  for (const known of ['"p"', 'W/"p"']) {
    const response = await ask("/", { headers: { "if-none-match": known } });
    expect([response.status, await response.text()]).toEqual([304, ""]);
  }
  expect((await ask("/", { headers: { "if-none-match": '"old"' } })).status).toBe(200);
  const head = await ask("/", { method: "HEAD" });
  expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, '"p"', ""]);
});

test("files are only read", async () => {
  expect((await ask("/", { method: "POST", body: "x" })).status).toBe(405);
});

test("rules remove, set, and add to what a rule before has set", async () => {
  expect((await ask("/")).headers.get("x-frame-options")).toBe("DENY");
  const frame = await ask("/frames/run");
  expect([frame.headers.get("x-frame-options"), frame.headers.get("x-kept")]).toEqual([null, "1, 2"]);
});
