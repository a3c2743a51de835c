import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameOfPage } from "../../src/web/pages/page-name.ts";
import { rankPassages } from "../../src/web/pages/rank-passages.ts";
import { titleIn } from "../../src/web/pages/title-in.ts";
import { isAllowedSite, readDomainRules } from "../../src/web/search/domain-rules.ts";
import { readResults, readToolResults, webAddress } from "../../src/web/search/read-results.ts";

const fields = { results: "a.b", url: "url", title: "title", snippet: "text" };

describe("results of a provider", () => {
  it("are read from anything without failing, and have web addresses alone", () => {
    fc.assert(
      fc.property(fc.json(), fc.webUrl(), (json, url) => {
        const value: unknown = JSON.parse(json);
        const results = readResults({ a: { b: [value, { url, title: value, text: value }] } }, fields) ?? [];
        for (const result of results) expect(result.url).toMatch(/^https?:\/\//);
        readResults(value, fields);
        readToolResults(json);
      }),
    );
  });

  it("of a tool are JSON of some shape, or lines", () => {
    const page = { url: "https://a.example/", title: "A", snippet: "s" };
    expect(readToolResults(JSON.stringify([{ link: page.url, name: "A", description: "s" }]))).toEqual([page]);
    expect(readToolResults(JSON.stringify({ organic: [{ href: page.url, title: "A", text: "s" }] }))).toEqual([page]);
    expect(readToolResults("1. [A](https://a.example/)\n   s\n\n2. [B](https://b.example/x)")).toEqual([
      page,
      { url: "https://b.example/x", title: "B", snippet: "" },
    ]);
    expect(readToolResults("Title: A\nURL: https://a.example/\ns")).toEqual([page]);
    expect(readToolResults("nothing")).toEqual([]);
  });

  it("have addresses without passwords and fragments", () => {
    expect(webAddress(" https://a.example/x#y ")).toBe("https://a.example/x");
    for (const bad of [
      "https://u:p@a.example/",
      "data:text/html,x",
      "//a.example",
      `https://a.example/${"x".repeat(2001)}`,
      7,
    ])
      expect(webAddress(bad)).toBeUndefined();
  });
});

describe("rules for sites", () => {
  it.each([
    [[], "https://a.example/", true],
    [["a.example"], "https://sub.a.example/", true],
    [["a.example"], "https://xa.example/", false],
    [["A.Example"], "https://a.example./", true],
    [["!a.example"], "https://sub.a.example/", false],
    [["bücher.example"], "https://xn--bcher-kva.example/", true],
  ])("%j: %s is %s", (rules, address, allowed) => {
    expect(isAllowedSite(readDomainRules(rules), address)).toBe(allowed);
  });
});

describe("passages", () => {
  const passage = (text: string, ...headings: string[]) => ({ text, headings });

  it("are in the order in which they fit the queries", () => {
    const ranked = rankPassages(
      [passage("Boats and more boats"), passage("The ferry leaves at nine"), passage("At nine", "Ferry times")],
      ["When does the ferry leave?"],
    );
    expect(ranked.map(({ passage: { text } }) => text).at(-1)).toBe("Boats and more boats");
    expect(ranked[0]!.score).toBe(1);
  });

  it("of scripts without spaces too, and keep their order where nothing fits", () => {
    const [best] = rankPassages([passage("猫は寝ています"), passage("フェリーは九時に出ます")], ["フェリー"]);
    expect(best!.passage.text).toContain("フェリー");
    const none = rankPassages([passage("one"), passage("two")], ["zebra"]);
    expect(none.map(({ passage: { text }, score }) => [text, score])).toEqual([
      ["one", 0],
      ["two", 0],
    ]);
  });

  it("all stay, whatever is in them", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (texts, queries) => {
        const ranked = rankPassages(
          texts.map((text) => passage(text)),
          queries,
        );
        expect(ranked.map(({ passage: { text } }) => text).toSorted()).toEqual(texts.toSorted());
        for (const { score } of ranked) expect(score >= 0 && score <= 1).toBe(true);
      }),
    );
  });
});

describe("the name of a page", () => {
  it.each([
    ["https://a.example/", "text/html", "", "a.example.html"],
    ["https://a.example/docs/guide.html?x=1", "text/html", "", "guide.html"],
    ["https://a.example/docs/guide.php", "text/html", "The guide / all of it", "The guide   all of it.html"],
    ["https://a.example/%E6%9C%A8", "text/plain", "", "木.txt"],
    ["https://a.example/%ff", "application/pdf", "", "%ff.pdf"],
    ["https://a.example/notes.txt", "text/plain", "", "notes.txt"],
  ])("%s (%s, %j) is %j", (address, type, title, name) => expect(nameOfPage(address, type, title)).toBe(name));

  it("has a title only where there is one", () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    expect(titleIn(bytes("<head><TITLE lang=de>A &amp; B\n C</TITLE>"))).toBe("A & B C");
    expect(titleIn(bytes("<p>no title"))).toBe("");
    expect(titleIn(new Uint8Array([0xff, 0xfe]))).toBe("");
  });
});
