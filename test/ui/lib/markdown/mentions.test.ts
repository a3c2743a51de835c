import { describe, expect, it } from "vitest";
import { BlockSplitter } from "../../../../src/ui/lib/markdown/block-splitter.ts";
import { markdown } from "../../../../src/ui/lib/markdown/parser.ts";

const html = (text: string, mentions = true) =>
  new BlockSplitter({ mentions })
    .update(text, false)
    .map(({ tokens }) => markdown.parser(tokens))
    .join("")
    .trim();
const chip = (kind: string, id: string, shown: string) =>
  `<span data-mention="${kind}" data-id="${id}">${shown}</span>`;

describe("codes of names in a text", () => {
  it.each([
    ["<@U:u1|Ada>", chip("user", "u1", "@Ada")],
    ["**<@M:llama3_1:8b|Llama *3*>**", `<strong>${chip("model", "llama3_1:8b", "@Llama *3*")}</strong>`],
    ["in <#C:c1|releases>.", `in ${chip("channel", "c1", "#releases")}.`],
    ["<@U:u1>", chip("user", "u1", "@u1")],
    ['<@U:a" onclick="x|A & "B">', chip("user", "a&quot; onclick=&quot;x", "@A &amp; &quot;B&quot;")],
    ["<@U:u1|ada@harbour.example>", chip("user", "u1", "@ada@harbour.example")],
  ])("%s", (text, shown) => {
    expect(html(text)).toBe(`<p>${shown}</p>`);
  });

  it.each(["`<@U:u1|Ada>`", "```\n<@U:u1|Ada>\n```", "<@U:<b>|Ada>", "<@X:u1|Ada>", "\\<@U:u1|Ada>"])(
    "%s is none",
    (text) => {
      expect(html(text)).not.toContain("data-mention");
    },
  );

  it("are plain text in chats", () => {
    expect(html("<@U:u1|Ada>", false)).toBe("<p>&lt;@U:u1|Ada&gt;</p>");
  });
});
