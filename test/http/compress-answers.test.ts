import { Hono } from "hono";
import { expect, it } from "vitest";
import { compressAnswers } from "../../src/http/compress-answers.ts";
import type { AppEnvironment } from "../../src/http/routes.ts";

const long = { text: "tide ".repeat(2000) };
const app = new Hono<AppEnvironment>();
app.use(async (c, next) => {
  compressAnswers(c);
  await next();
});
app.get("/long", (c) => c.json(long, 200, { "x-next-cursor": "7" }));
app.get("/text", (c) => c.text(long.text));
app.get("/short", (c) => c.json({ a: 1 }));
app.get("/refused", (c) => c.json(long, 409));
app.get("/header", (c) => {
  c.header("x-total", "3");
  return c.json(long);
});
app.get("/stream", () => new Response(new Blob([JSON.stringify(long)]).stream()));

const ask = (path: string, accepts?: string) =>
  app.request(path, { headers: accepts === undefined ? {} : { "accept-encoding": accepts } });

it.each([
  ["gzip", true],
  ["br, GZIP;q=0.5", true],
  ["*", true],
  ["gzip;q=0", false],
  ["*;q=0.1, gzip; q=0.0", false],
  ["br", false],
  ["", false],
  [undefined, false],
])("an answer to Accept-Encoding %j is compressed: %s", async (accepts, isCompressed) => {
  const answer = await ask("/long", accepts);
  expect(answer.headers.get("content-encoding")).toBe(isCompressed ? "gzip" : null);
  expect(answer.headers.get("vary")).toBe(isCompressed ? "accept-encoding" : null);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("x-next-cursor")).toBe("7");
  expect(await answer.json()).toEqual(long);
});

it("text, errors and answers with headers of their own are compressed too", async () => {
  const text = await ask("/text", "gzip");
  expect(text.headers.get("content-encoding")).toBe("gzip");
  expect(text.headers.get("content-type")).toBe("text/plain; charset=UTF-8");
  const refused = await ask("/refused", "gzip");
  expect([refused.status, refused.headers.get("content-encoding")]).toEqual([409, "gzip"]);
  const header = await ask("/header", "gzip");
  expect([header.headers.get("x-total"), header.headers.get("content-encoding")]).toEqual(["3", "gzip"]);
});

it("short answers and streams stay as they are", async () => {
  expect((await ask("/short", "gzip")).headers.get("content-encoding")).toBeNull();
  expect((await ask("/stream", "gzip")).headers.get("content-encoding")).toBeNull();
});
