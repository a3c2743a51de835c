import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openMarkdownPage } from "./build-markdown-page.ts";
import { openBrowser, type TestBrowser } from "./open-browser.ts";

let browser: TestBrowser;
let page: Page;
const opened: string[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.openPage();
  page.on("dialog", (dialog) => {
    opened.push(dialog.message());
    void dialog.dismiss();
  });
  await openMarkdownPage(page);
});
afterAll(() => browser.close());

const show = (text: string, streaming = false) =>
  page.evaluate(
    ([text, streaming]) =>
      (globalThis as unknown as { show: (text: string, streaming: boolean) => void }).show(text, streaming),
    [text, streaming] as const,
  );
const html = () => page.locator("#app .markdown").innerHTML();

describe("what a model writes", () => {
  it.each([
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "<svg onload=alert(1)><a xlink:href='javascript:alert(1)'>x</a></svg>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\nscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](vbscript:msgbox)",
    "<javascript:alert(1)>",
    "![x](javascript:alert(1))",
    '![x](https://a.example/"onerror="alert(1))',
    "<details open ontoggle=alert(1)>x</details>",
    "<div style='position:fixed;inset:0' class='app' id='app'>over</div>",
    "<a href='javascript:alert(1)'>x</a>",
    "<iframe src='https://a.example'></iframe>",
    "<form action='https://a.example'><input name=password><button>go</button></form>",
    '```js"><img src=x onerror=alert(1)>\ncode\n```',
    "$\\href{javascript:alert(1)}{x}$ and $\\htmlClass{app}{x}$",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<span data-math='inline'><img src=x onerror=alert(1)></span>",
  ])("cannot run, load or cover anything: %j", async (text) => {
    await show(text);
    await show(`${text}\n\nand more`, true);
    const found = await page.evaluate(() => {
      const inside = document.querySelector("#app .markdown");
      const all = [...(inside?.querySelectorAll("*") ?? [])];
      return {
        elements: all
          .map((one) => one.localName)
          .filter((name) => ["script", "iframe", "form", "style", "svg", "object"].includes(name)),
        handlers: all
          .flatMap((one) => [...one.attributes].map((attribute) => attribute.name))
          .filter((name) => name.startsWith("on")),
        styled: all.filter((one) => one.closest("[data-math]") === null && (one.hasAttribute("style") || one.id !== ""))
          .length,
        addresses: all
          .flatMap((one) => [one.getAttribute("href"), one.getAttribute("src")])
          .filter((address) => address !== null && /^\s*(?:java|vb)script:|^data:text/iu.test(address)),
      };
    });
    expect(found).toEqual({ elements: [], handlers: [], styled: 0, addresses: [] });
    expect(opened).toEqual([]);
  });

  it("opens links out in a tab that learns nothing, and keeps links within the app in it", async () => {
    await show("[out](https://example.com) [in](/c/1) <mail@example.com>");
    const out = page.getByRole("link", { name: "out" });
    await expect.poll(() => out.getAttribute("rel")).toBe("noopener noreferrer nofollow");
    await expect.poll(() => out.getAttribute("target")).toBe("_blank");
    await expect.poll(() => page.getByRole("link", { name: "in", exact: true }).getAttribute("target")).toBeNull();
    await expect
      .poll(() => page.getByRole("link", { name: "mail@" }).getAttribute("href"))
      .toBe("mailto:mail@example.com");
  });

  it("shows tags that are not markup as the text they are", async () => {
    await show("A List<String> and a <custom-tag> in H<sub>2</sub>O");
    await expect.poll(() => page.locator("#app").innerText()).toContain("A List<String> and a <custom-tag> in H2O");
  });

  it("lays out each block in its own direction and code from left to right", async () => {
    await show("hello\n\nمرحبا بالعالم\n\n```\nx\n```");
    const directions = await page
      .locator("#app .block > *")
      .evaluateAll((blocks) => blocks.map((block) => getComputedStyle(block).direction));
    expect(directions).toEqual(["ltr", "rtl", "ltr"]);
  });

  it("colours code when it is complete, names its language and copies it", async () => {
    await page
      .context()
      .grantPermissions(["clipboard-read", "clipboard-write"], { origin: "http://markdown.test" })
      .catch(() => undefined);
    await show("```ts\nconst answer: number = 42;\n```\n\n```unknownlang\nplain\n```");
    await page.locator(".hljs-keyword", { hasText: "const" }).waitFor();
    await expect.poll(() => page.locator(".code-head span").allInnerTexts()).toEqual(["ts", "unknownlang"]);
    await page.evaluate(() => {
      Object.defineProperty(navigator, "clipboard", {
        configurable: true,
        value: {
          writeText: (text: string) => Promise.resolve(void ((globalThis as { copied?: string }).copied = text)),
        },
      });
    });
    await page.getByRole("button", { name: "Copy code" }).first().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate(() => (globalThis as { copied?: string }).copied)).toBe("const answer: number = 42;");
  });

  it("colours a long listing in slices, and the page stays quick", async () => {
    const code = Array.from({ length: 6000 }, (_, at) => `const value${at} = "text ${at}"; /* one`).join("\n*/\n");
    expect(code.length).toBeGreaterThan(150_000);
    await page.evaluate(() => {
      const tasks: number[] = [];
      Object.assign(globalThis, { tasks });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) tasks.push(duration);
      }).observe({ type: "longtask" });
    });
    const tasks = () => page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks);
    await show(`\`\`\`ts\n${code}\n\`\`\``);
    const before = (await tasks()).length;
    const slices = page.locator(".slice");
    await slices.first().waitFor();
    await page.waitForFunction(
      (count) => document.querySelectorAll(".slice").length === count,
      Math.ceil((6000 * 2 - 1 + 1) / 200),
    );
    // A comment that goes on in the next slice is one there too.
    await expect.poll(() => slices.nth(1).locator(".hljs-comment").first().isVisible()).toBe(true);
    await expect.poll(() => page.locator("#app pre code").evaluate((element) => element.textContent)).toBe(`${code}\n`);
    // On a busy machine each of them takes longer; but none of them does most of the work.
    const long = (await tasks()).slice(before);
    const sum = long.reduce((all, one) => all + one, 0);
    expect(Math.max(0, ...long)).toBeLessThan(Math.max(150, sum / 4));
  });

  it("keeps the head of a long listing in view", async () => {
    await show(`\`\`\`ts\n${"const x = 1;\n".repeat(300)}\`\`\`\n\nThe end.`);
    const top = await page.evaluate(() => {
      scrollTo(0, 2000);
      return document.querySelector(".code-head")!.getBoundingClientRect().top;
    });
    expect(top).toBe(0);
    await expect.poll(() => page.getByRole("button", { name: "Copy code" }).isVisible()).toBe(true);
    // What comes of the code stands in the same box, and is not covered where the listing has ended.
    const isCovered = await page.evaluate(() => {
      const output = document.querySelector(".code")!.appendChild(document.createElement("div"));
      output.style.height = "100vh";
      output.scrollIntoView();
      return document.elementFromPoint(innerWidth / 2, 5) !== output;
    });
    expect(isCovered).toBe(false);
    await page.evaluate(() => scrollTo(0, 0));
  });

  it("wraps lines of code where the person wants it, also in the next text", async () => {
    await show(`\`\`\`\n${"word ".repeat(400)}\n\`\`\``);
    const isWide = () => page.locator("pre").evaluate((pre) => pre.scrollWidth > pre.clientWidth);
    await expect.poll(() => isWide()).toBe(true);
    const wrap = page.getByRole("button", { name: "Wrap lines" });
    await expect.poll(() => wrap.getAttribute("aria-pressed")).toBe("false");
    await wrap.click();
    await expect.poll(() => isWide()).toBe(false);
    await show(`\`\`\`py\n${"other ".repeat(400)}\n\`\`\``);
    await expect.poll(() => isWide()).toBe(false);
    await expect.poll(() => wrap.getAttribute("aria-pressed")).toBe("true");
    await expect.poll(() => page.evaluate(() => localStorage.getItem("parley:wrap-code"))).toBe("1");
    await wrap.click();
    await expect.poll(() => isWide()).toBe(true);
  });

  it("shows headings that differ, and leaves out no level of the outline", async () => {
    await show("## Two\n\n#### Four\n\n## Two again\n\n# One\n\n## Below one\n\n###### Six\n\n> ### Quoted");
    const headings = await page
      .locator("#app :is(h1, h2, h3, h4, h5, h6)")
      .evaluateAll((all) =>
        all.map((one) => [one.textContent, one.localName, parseFloat(getComputedStyle(one).fontSize)]),
      );
    expect(headings.map(([text, name]) => [text, name])).toEqual([
      ["Two", "h3"],
      ["Four", "h4"],
      ["Two again", "h3"],
      ["One", "h3"],
      ["Below one", "h4"],
      ["Six", "h5"],
      ["Quoted", "h5"],
    ]);
    const sizes = ["One", "Two", "Quoted", "Four", "Six"].map((text) => headings.find(([name]) => name === text)![2]);
    expect(sizes).toEqual([...sizes].sort((a, b) => Number(b) - Number(a)));
    expect(new Set(sizes).size).toBe(sizes.length);
  });

  it("shows footnotes at the end, with links there and back", async () => {
    await show(
      "First[^b] and second[^a], again[^b]. None[^gone].\n\n[^a]: The **second** note.\n\n[^b]: The first note,\n  with a second line.\n\nThe end. <sup data-footnote='zz'>x</sup>",
    );
    await expect.poll(() => page.locator("#app sup").getByRole("link").allInnerTexts()).toEqual(["1", "2", "1"]);
    await expect.poll(() => page.locator("#app .block").first().innerText()).toContain("None[^gone].");
    const notes = page.getByRole("region", { name: "Footnotes" }).getByRole("listitem");
    await expect
      .poll(() => notes.allInnerTexts())
      .toEqual([
        expect.stringMatching(/^The first note,\s+with a second line\./u),
        expect.stringMatching(/^The second note\./u),
      ]);
    await page.getByRole("link", { name: "Footnote 2", exact: true }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain("The second note.");
    await page.getByRole("link", { name: "Back to where footnote 2 is mentioned" }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe("Footnote 2");
    // Nothing in the address: the page is the same.
    expect(new URL(page.url()).hash).toBe("");
  });

  it("sets formulas and leaves prices alone", async () => {
    await show("It is $E = mc^2$, not $5 or $6.\n\n$$\n\\int_0^1 x\\,dx\n$$");
    await page.locator(".katex-display").waitFor();
    await expect.poll(() => page.locator(".katex").count()).toBe(2);
    await expect.poll(() => page.locator(".block p").first().innerText()).toContain("not $5 or $6.");
  });

  it("makes wide tables and code scroll inside their box, reachable by keyboard", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    const columns = Array.from({ length: 12 }, (_, index) => `column${index}`);
    await show(
      `| ${columns.join(" | ")} |\n|${" --- |".repeat(12)}\n| ${columns.join(" | ")} |\n\n\`\`\`\n${"long ".repeat(100)}\n\`\`\``,
    );
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await expect
      .poll(() =>
        page
          .locator(".table-scroll, pre")
          .evaluateAll((boxes) =>
            boxes.map((box) => box.scrollWidth > box.clientWidth && (box as HTMLElement).tabIndex === 0),
          ),
      )
      .toEqual([true, true]);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

describe("a text that is arriving", () => {
  it("never shows half of a markup", async () => {
    const text =
      "So **bold words** and `code` and [a link](https://example.com/x) end.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet x = 1;\n```\n\nItems:\n- one\n- **two**\n";
    const bad: string[] = [];
    for (let end = 1; end <= text.length; end++) {
      await show(text.slice(0, end), true);
      const shown = await page.locator("#app .markdown").innerText();
      if (/\*\*|`|\]\(|https:|\|/u.test(shown))
        bad.push(`${JSON.stringify(text.slice(Math.max(0, end - 20), end))} -> ${JSON.stringify(shown.slice(-40))}`);
      await expect.poll(() => page.locator("h3, h4").count()).toBe(0);
    }
    expect(bad).toEqual([]);
  });

  it("leaves finished blocks untouched: the same elements stay in the page", async () => {
    const start = "# One\n\nTwo with **bold**.\n\n- three\n\nFour";
    await show(start, true);
    await page.evaluate(() =>
      document.querySelectorAll("#app .block > *").forEach((one) => one.setAttribute("data-seen", "")),
    );
    await show(`${start} and more.\n\nFive`, true);
    await expect.poll(() => page.locator("#app .block > [data-seen]").count()).toBe(3);
    await show(`${start} and more.\n\nFive`);
    await expect.poll(() => page.locator("#app .block > [data-seen]").count()).toBe(3);
  });

  it("appends to a long listing instead of building it again", async () => {
    const listing = (lines: number) => `\`\`\`txt\n${"line of code\n".repeat(lines)}`;
    await show(listing(10), true);
    await page.evaluate(() => document.querySelector("pre")?.setAttribute("data-seen", ""));
    await show(listing(500), true);
    await expect.poll(() => page.locator("pre[data-seen]").count()).toBe(1);
    await expect.poll(async () => (await page.locator("pre").innerText()).trim().split("\n")).toHaveLength(500);
    await show(`${listing(500)}\`\`\`\n\nend`);
    await expect.poll(async () => (await page.locator("pre").innerText()).trim().split("\n")).toHaveLength(500);
    await expect.poll(() => html()).toContain("end");
  });

  it("costs a small part of what rendering it anew at every step costs", async () => {
    const part =
      "## Heading\n\nSome **bold** text with `code`, a [link](https://example.com) and enough words to fill a line or two of the page.\n\n- first item of a list\n- second item with *emphasis*\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst value: number = compute(1, 2, 3);\nreturn value;\n```\n\n";
    const text = part.repeat(Math.ceil(17_440 / part.length)).slice(0, 17_440);
    const spent = await page.evaluate((text) => {
      const { show } = globalThis as unknown as { show: (text: string, streaming: boolean) => void };
      const times: number[] = [];
      for (let end = 40; end <= text.length; end += 40) {
        const start = performance.now();
        show(text.slice(0, end), true);
        times.push(performance.now() - start);
      }
      // What one step near the end would cost without any memory of the steps before.
      const start = performance.now();
      for (let time = 0; time < 5; time++) {
        show("", true);
        show(text, true);
      }
      const anew = (performance.now() - start) / 5;
      return { steps: times.length, total: times.reduce((a, b) => a + b, 0), worst: Math.max(...times), anew };
    }, text);
    console.log(
      `${text.length} characters in ${spent.steps} steps: ${spent.total.toFixed(0)} ms, worst ${spent.worst.toFixed(1)} ms, anew ${spent.anew.toFixed(1)} ms a step`,
    );
    expect(spent.steps).toBe(436);
    // Rendering anew costs half of the whole text at a mean step.
    expect(spent.total).toBeLessThan(((spent.anew / 2) * spent.steps) / 4);
  });
});

describe("what would break the page", () => {
  it.each([
    ["quotes in quotes", ">".repeat(2000)],
    ["emphasis", "_a_b".repeat(16_000)],
    ["an address without an end", `${"a.a".repeat(20_000)}@`],
    ["open tags", "<".repeat(64_000)],
    ["tags in tags", "<b>".repeat(20_000)],
    ["lists in lists", "- ".repeat(30_000)],
    ["braces in a formula", `$$${"{".repeat(5000)}${"}".repeat(5000)}$$`],
    ["macros without an end", "$$\\def\\a{\\a\\a}\\a$$"],
  ])("%s: it is shown, and so is what comes before and after", async (_, text) => {
    await show(`before\n\n${text}\n\nafter`);
    await expect.poll(() => page.locator("#app .markdown").innerText()).toMatch(/^before/);
    await show("still here");
    await expect.poll(() => page.locator("#app .markdown").innerText()).toBe("still here");
  });

  it("is shown as plain text where formatting it fails, and the rest of the page stays", async () => {
    await show("the rest of the page");
    await page.evaluate(() =>
      (globalThis as unknown as { showBroken: (text: string) => void }).showBroken("the words *as written*"),
    );
    await page.getByText("the words *as written*").waitFor();
    await page.getByText("This couldn't be displayed with its formatting.").waitFor();
    await expect.poll(() => page.locator("#app .markdown").innerText()).toBe("the rest of the page");
  });
});
