import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { curlLine } from "../../../src/ui/features/channels/webhooks/curl-line.ts";

/** What a shell makes of the line, with something in curl's place that says its arguments. */
function argumentsOf(line: string): string[] {
  const said = execFileSync("sh", ["-c", String.raw`curl() { printf '%s\0' "$@"; }` + `\n${line}`]).toString();
  return said.split("\0").slice(0, -1);
}

test("a shell hands on the address and the text as they are, whatever is in them", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.string({ unit: fc.constantFrom("'", '"', "\\", "$", "`", "!", "\n", " ", "(", "*", "a", "#", "é", "🚢") }),
  );
  fc.assert(
    fc.property(texts, (content) => {
      const url = "https://parley.example/api/v1/channels/webhooks/id/to-ken_";
      const [address, , type, , body] = argumentsOf(curlLine(url, content));
      expect([address, type]).toEqual([url, "Content-Type: application/json"]);
      expect(JSON.parse(body!)).toEqual({ content });
    }),
    { numRuns: 60 },
  );
});
