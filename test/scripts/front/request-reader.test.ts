import fc from "fast-check";
import { expect, it } from "vitest";
import { maxHeadBytes, type Part, RequestReader } from "../../../scripts/launch/front/request-reader.ts";

/** Parts as text, with neighbouring pieces put together. */
function readAll(pieces: readonly Buffer[]): string[] {
  const reader = new RequestReader();
  const found: string[] = [];
  for (const part of pieces.flatMap((piece) => reader.read(piece))) {
    const text = describe(part);
    if ("bytes" in part && found.at(-1)?.startsWith(`${part.kind} `)) found.push(found.pop()! + text);
    else found.push("bytes" in part ? `${part.kind} ${text}` : text);
  }
  return [...found, `then ${reader.place}`];
}

function describe(part: Part): string {
  switch (part.kind) {
    case "head": {
      const { method, target, version, host, length } = part.head;
      return ["head", method, target, version, host, length].join(" ");
    }
    case "refusal":
      return `${part.refusal.status} ${part.refusal.message}`;
    case "end":
      return "end";
    default:
      return part.bytes.toString("latin1");
  }
}

function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map((each) => each % (bytes.length + 1)))].toSorted((one, other) => one - other);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

const body = fc.stringMatching(/^[ -~\r\n\0]{0,40}$/);
const wellFormed = fc
  .record({
    method: fc.constantFrom("GET", "POST", "DELETE", "X-Y"),
    target: fc.stringMatching(/^\/[!-~]{0,20}$/),
    more: fc.stringMatching(/^X-[a-z]{1,5}: ?[ -~\t]{0,20}$/),
    body,
    trailer: fc.constantFrom("", "X-T: GET / HTTP/1.1\r\n"),
    form: fc.constantFrom("none", "length", "chunks"),
    blank: fc.constantFrom("", "\r\n"),
    sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
  })
  .map(({ method, target, more, body: text, trailer, form, blank, sizes }) => {
    const head = `${blank}${method} ${target} HTTP/1.1\r\nhOST: a.b:1\r\n${more}\r\n`;
    const found = (length: number | string) => `head ${method} ${target} 1.1 a.b:1 ${length}`;
    if (form === "none") return { bytes: `${head}\r\n`, expected: [found(0), "end"] };
    if (form === "length") {
      const some = text === "" ? [] : [`body ${text}`];
      return {
        bytes: `${head}Content-Length: ${text.length}\r\n\r\n${text}`,
        expected: [found(text.length), ...some, "end"],
      };
    }
    let chunks = "";
    for (let at = 0, turn = 0; at < text.length; turn++) {
      const piece = text.slice(at, at + sizes[turn % sizes.length]!);
      chunks += `${piece.length.toString(16)}\r\n${piece}\r\n`;
      at += piece.length;
    }
    return {
      bytes: `${head}Transfer-Encoding: Chunked\r\n\r\n${chunks}0\r\n${trailer}\r\n`,
      expected: [found("chunked"), `body ${chunks}0\r\n\r\n`, "end"],
    };
  });
const cuts = fc.array(fc.nat({ max: 10_000 }), { maxLength: 20 });

it("finds each request and its body, however the bytes are cut", () => {
  fc.assert(
    fc.property(fc.array(wellFormed, { maxLength: 5 }), cuts, (requests, places) => {
      const bytes = Buffer.from(requests.map((each) => each.bytes).join(""), "latin1");
      const expected = [...requests.flatMap((each) => each.expected), "then between"];
      expect(readAll(cut(bytes, places))).toEqual(expected);
    }),
  );
});

it("says the same of any bytes, however they are cut", () => {
  const words = [
    ..."\r\n\0 :;0aG",
    "\r\n",
    "\r\n\r\n",
    "GET / HTTP/1.1\r\n",
    "Host: a\r\n",
    "Content-Length: 3\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Upgrade: websocket\r\n",
    "3\r\nabc\r\n",
    "0\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 15 }), cuts, (some, places) => {
      const bytes = Buffer.from(some.join(""), "latin1");
      expect(readAll(cut(bytes, places))).toEqual(readAll([bytes]));
      expect(readAll([...bytes].map((byte) => Buffer.of(byte)))).toEqual(readAll([bytes]));
    }),
    { numRuns: 500 },
  );
});

it("bounds heads and trailers", () => {
  const head = "GET / HTTP/1.1\r\nHost: a\r\nX-A: \r\n\r\n";
  const padded = (count: number) => Buffer.from(head.replace("X-A: ", `X-A: ${"a".repeat(count)}`));
  const most = maxHeadBytes - head.length;
  expect(readAll([padded(most)])).toEqual(["head GET / 1.1 a 0", "end", "then between"]);
  expect(readAll([padded(most + 1)])).toEqual([expect.stringMatching(/^431 /), "then refused"]);
  const chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n";
  const trailer = Buffer.from(chunked + "X-A: b\r\n".repeat(maxHeadBytes / 8 + 1));
  expect(readAll([trailer]).at(-2)).toMatch(/^431 The trailers/);
});

it("reads a head of the largest size in linear time, also when nothing fits", () => {
  const blank = " ".repeat(maxHeadBytes - 100);
  const bytes = Buffer.from(`GET / HTTP/1.1\r\nHost: a\r\nX-A:${blank}\x01\r\n\r\n`);
  expect(readAll([bytes])).toEqual([expect.stringMatching(/^400 The header X-A/), "then refused"]);
});
