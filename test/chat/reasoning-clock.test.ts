import { expect, test } from "vitest";
import { ReasoningClock } from "../../src/chat/reasoning-clock.ts";

type Step = ["think" | "say" | "stop", string, number];

test.each<[string, Step[], number | undefined]>([
  [
    "nothing was thought",
    [
      ["say", "Hi", 0],
      ["stop", "", 900],
    ],
    undefined,
  ],
  [
    "one stretch",
    [
      ["think", "a", 100],
      ["think", "b", 600],
      ["say", "Hi", 1100],
      ["say", "!", 5000],
    ],
    1,
  ],
  [
    "several stretches",
    [
      ["think", "a", 0],
      ["say", "x", 500],
      ["think", "b", 2000],
      ["say", "y", 2500],
    ],
    1,
  ],
  [
    "blank lines between",
    [
      ["think", "a", 0],
      ["say", "\n", 500],
      ["think", "b", 900],
      ["say", "y", 1500],
    ],
    1.5,
  ],
  [
    "thinking that nothing follows",
    [
      ["think", "a", 0],
      ["stop", "", 2000],
      ["stop", "", 9000],
    ],
    2,
  ],
])("%s", (_, steps, seconds) => {
  const clock = new ReasoningClock();
  for (const [kind, text, at] of steps) {
    if (kind === "stop") clock.stop(at);
    else clock.add(kind === "think" ? { reasoning: text } : { content: text }, at);
  }
  expect(clock.seconds).toBe(seconds);
});
