import { expect, test } from "vitest";
import { describeAgent } from "../../../../src/ui/features/settings/describe-agent.ts";

test.each([
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36",
    "Chrome on Linux",
    "screen",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0 Safari/537.36 Edg/153.0",
    "Edge on Windows",
    "screen",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15",
    "Safari on macOS",
    "screen",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19.0 Mobile Safari/604.1",
    "Safari on iPhone",
    "phone",
  ],
  ["Mozilla/5.0 (Android 16; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "Firefox on Android", "phone"],
  ["python-requests/2.32", "python-requests", "link"],
])("%s is %s", (agent, name, kind) => {
  expect(describeAgent(agent)).toEqual({ name, kind });
});

test("an empty one is nothing to go by", () => {
  expect(describeAgent("")).toBeUndefined();
});
