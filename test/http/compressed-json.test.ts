import { expect, it } from "vitest";
import { compressedJson } from "../../src/http/compressed-json.ts";

const long = { text: "tide ".repeat(2000) };

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
  const answer = compressedJson(long, accepts);
  expect(answer.headers.get("content-encoding")).toBe(isCompressed ? "gzip" : null);
  expect(answer.headers.get("vary")).toBe("accept-encoding");
  expect(await answer.json()).toEqual(long);
});

it("a short answer stays as it is", () => {
  expect(compressedJson({ a: 1 }, "gzip").headers.get("content-encoding")).toBeNull();
});
