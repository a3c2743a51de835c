import { expect, test } from "vitest";
import { emojiName, emojiOf } from "../../../../../src/ui/features/channels/emoji/emojis.ts";
import { withReaction } from "../../../../../src/ui/features/channels/messages/with-reaction.ts";
import { aMessage } from "../a-message.ts";

const ada = { id: "ada", name: "Ada" };
const bo = { id: "bo", name: "Bo" };

test("a reaction is added once and taken back once, beside those of others", () => {
  const byBo = aMessage({ reactions: [{ name: "👍", count: 1, users: [bo], mine: false }] });
  const added = withReaction(byBo, { name: "👍", person: ada, isAdded: true });
  expect(added.reactions).toEqual([{ name: "👍", count: 2, users: [bo, ada], mine: true }]);
  expect(withReaction(added, { name: "👍", person: ada, isAdded: true })).toBe(added);
  expect(withReaction(added, { name: "👍", person: ada, isAdded: false })).toEqual(byBo);
  expect(withReaction(byBo, { name: "👍", person: ada, isAdded: false })).toBe(byBo);
});

test("the last one takes its chip with it, and a new one comes at the end", () => {
  const one = withReaction(aMessage(), { name: "🎉", person: ada, isAdded: true });
  const two = withReaction(one, { name: "👀", person: ada, isAdded: true });
  expect(two.reactions.map(({ name }) => name)).toEqual(["🎉", "👀"]);
  expect(withReaction(two, { name: "🎉", person: ada, isAdded: false }).reactions).toEqual([
    { name: "👀", count: 1, users: [ada], mine: true },
  ]);
});

test.each([
  ["👍", "👍"],
  ["thumbsup", "👍"],
  [":+1:", "👍"],
  ["party_parrot", ":party_parrot:"],
  ["constructor", ":constructor:"],
])("the reaction %j is shown as %j", (name, shown) => {
  expect(emojiOf(name)).toBe(shown);
});

test("emojis have names for those who hear them", () => {
  expect(emojiName("🎉")).toBe("party");
  expect(emojiName("🦜")).toBe("🦜");
});
