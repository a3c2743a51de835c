import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileComponent } from "../../../../../src/ui/features/chat/previews/compile-component.ts";
import { composePage } from "../../../../../src/ui/features/chat/previews/compose-page.ts";
import { findPreviews, previewOf } from "../../../../../src/ui/features/chat/previews/find-previews.ts";
import { readCodeBlocks } from "../../../../../src/ui/features/chat/previews/read-code-blocks.ts";
import { numberOf, readTable, sortRows } from "../../../../../src/ui/features/chat/previews/read-table.ts";

const block = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\`\n`;

describe("blocks of code", () => {
  test("are read with their language, in lists and longer fences, and know whether they have ended", () => {
    const text = `Text \`\`\` no\n${block("HTML title", "<p>a</p>")}- item\n  ~~~~js\n  let a;\n  ~~~\n  ~~~~\n\`\`\`\`md\n${block("css", "x")}\`\`\`\`\n\`\`\`py\nprint(1)`;
    expect(readCodeBlocks(text)).toEqual([
      { language: "html", code: "<p>a</p>", isComplete: true },
      { language: "js", code: "let a;\n~~~", isComplete: true },
      { language: "md", code: "```css\nx\n```", isComplete: true },
      { language: "py", code: "print(1)", isComplete: false },
    ]);
  });

  test("come back as they were, whatever they hold", () => {
    const line = fc.string().filter((text) => !/[\r\n]/u.test(text) && !/^\s*~{5,}\s*$/u.test(text));
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const [found, ...more] = readCodeBlocks(`before\n~~~~~x\n${lines.join("\n")}\n~~~~~\nafter`);
        expect(found).toEqual({ language: "x", code: lines.join("\n"), isComplete: true });
        expect(more).toEqual([]);
      }),
    );
  });
});

describe("previews of an answer", () => {
  test("put styles and scripts with each page, and leave out what no page can run", () => {
    const text = [
      block("html", "<p>1</p>"),
      block("css", "p{}"),
      block("js", "document.title = 1"),
      block("js", 'const fs = require("fs"); document.x'),
      block("js", "console.log(1)"),
    ].join("\n");
    expect(findPreviews(text)).toMatchObject([
      { kind: "page", html: "<p>1</p>", styles: ["p{}"], scripts: ["document.title = 1"] },
    ]);
    expect([previewOf(text, "p{}"), previewOf(text, "console.log(1)")]).toEqual([0, undefined]);
  });

  test("are of all kinds, and only of blocks that are complete", () => {
    const kinds = (text: string) => findPreviews(text).map(({ kind }) => kind);
    expect(kinds(block("svg", "<svg></svg>") + block("xml", "<svg/>") + block("xml", "<a/>"))).toEqual([
      "drawing",
      "drawing",
    ]);
    expect(kinds(block("tsx", "export default () => <p/>") + block("csv", "a,b"))).toEqual(["component", "table"]);
    expect(kinds(block("js", "window.x = 1") + block("js", "document.y"))).toEqual(["page"]);
    expect(kinds("```html\n<p>")).toEqual([]);
  });

  test("are whole documents, whose parts cannot end early", () => {
    const whole = composePage({
      html: "<!doctype html><html><head></head><body><p>x</p></body></html>",
      styles: ["p::after{content:'</style><b>'}"],
      scripts: ["'</script><i>'"],
    });
    expect(whole).toMatch(/<style>[^]*<\\\/style><b>[^]*<\/style>\n<\/head>/u);
    expect(whole).toMatch(/<script>\n'<\\\/script><i>'\n<\/script>\n<\/body>/u);
  });

  test("of components compile, with the last component as the default", () => {
    const code = (source: string) => (compileComponent(source) as { code: string }).code;
    expect(code("const a: number = 1;\nfunction App() { return <p>{a}</p>; }")).toContain("exports.default = App");
    expect(compileComponent("function (")).toMatchObject({ error: expect.stringMatching(/1:\d+/u) as string });
  });
});

describe("tables", () => {
  const read = (text: string) => readTable(text, undefined, (at) => `Column ${at}`);

  test("have names for all columns, and know which are numbers", () => {
    const table = read('ship,load,load\n"Pinta, old",12\n\nNina,"1,200",x\n');
    expect(table).toMatchObject({
      columns: ["ship", "load", "Column 3"],
      isNumber: [false, true, false],
      isCut: false,
    });
    expect(table.rows).toHaveLength(2);
    expect(sortRows(table, 1, -1).map(([name]) => name)).toEqual(["Nina", "Pinta, old"]);
    expect(sortRows(table, 2, 1).map(([name]) => name)).toEqual(["Nina", "Pinta, old"]);
  });

  test("of any text can be read or fail in words", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { rows, columns } = read(text);
        expect(rows.every((row) => row.length <= columns.length)).toBe(true);
        expect(new Set(columns).size).toBe(columns.length);
      }),
    );
  });

  test.each([
    ["12", 12],
    ["-1.5", -1.5],
    ["1,234.5", 1234.5],
    ["50 %", 50],
    ["€ 3", 3],
    ["1,2", Number.NaN],
    ["", Number.NaN],
    ["x", Number.NaN],
  ])("%j is the number %d", (text, number) => expect(numberOf(text)).toBe(number));
});
