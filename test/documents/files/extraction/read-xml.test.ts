import { describe, expect, test } from "vitest";
import { readXml } from "../../../../workers/extractor/xml/read-xml.ts";

/** What is told while it is read, with neighbouring texts in one. */
function follow(bytes: Uint8Array, length: number): string[] {
  const told: string[] = [];
  let text = "";
  const tell = (what: string) => {
    if (text !== "") told.push(`"${text}"`);
    text = "";
    told.push(what);
  };
  const pieces = Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) =>
    bytes.slice(at * length, (at + 1) * length),
  );
  const reading = readXml(pieces, {
    open: (name, attributes) => tell(`<${name} ${attributes.get("val") ?? ""}|${attributes.get("r:id") ?? ""}>`),
    close: (name) => tell(`</${name}>`),
    text: (piece) => {
      text += piece;
    },
  });
  for (const _ of reading);
  return told;
}

const source = `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE w [<!ENTITY x "y">]>
<w:a xmlns:w="urn:w"><!-- <b> --><w:b w:val="1 > 0" r:id='it&apos;s'/>a &amp; b &#x1F600;&#65;&unknown; &lt;c&gt;<![CDATA[<raw> ]] &amp;]]>
<w:c  rev="2" w:val = "&quot;"  ></w:c >é漢</w:a>`;

const expected = [
  "<a |>",
  "<b 1 > 0|it's>",
  "</b>",
  '"a & b 😀A&unknown; <c><raw> ]] &amp;\n"',
  '<c "|>',
  "</c>",
  '"é漢"',
  "</a>",
];

describe("XML", () => {
  test("reads the same wherever it is cut", () => {
    const bytes = Buffer.from(source);
    for (const length of [1, 2, 3, 5, 8, 13, 64, bytes.length]) expect(follow(bytes, length)).toEqual(expected);
  });

  test("reads UTF-16 by its mark, and charsets it declares", () => {
    expect(follow(Buffer.from("\ufeff<a>漢</a>", "utf16le"), 3)).toEqual(["<a |>", '"漢"', "</a>"]);
    const latin = Buffer.from('<?xml version="1.0" encoding="windows-1251"?><a>\xce\xea</a>', "latin1");
    expect(follow(latin, 100)).toEqual(["<a |>", '"Ок"', "</a>"]);
  });

  test.for(["<a><b></a></b>", "<a>", "<a", "</a>", "<a></a></a>", "<a><></a>"])("refuses %s", (wrong) => {
    expect(() => follow(Buffer.from(wrong), 4)).toThrow(/damaged/);
  });
});
