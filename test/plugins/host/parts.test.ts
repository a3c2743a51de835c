import { describe, expect, it } from "vitest";
import { Pauses } from "../../../scripts/launch/plugins/pauses.ts";
import { countValues } from "../../../src/lib/json-depth.ts";
import { detectLanguage } from "../../../workers/plugin-host/detect-language.ts";
import { cutPackage, readPiece } from "../../../workers/plugin-host/frames.ts";
import { hostMatches } from "../../../workers/plugin-host/host-matches.ts";
import { Pace } from "../../../workers/plugin-host/pace.ts";
import { PackageInbox } from "../../../workers/plugin-host/package-inbox.ts";
import { parseUntrusted } from "../../../workers/plugin-host/parse-untrusted.ts";
import { cpuTime } from "../../cpu-time.ts";

const contents = { modules: [], requires: [] };

describe("hostMatches", () => {
  it.each([
    ["https://a.example.com/x", ["a.example.com"], true],
    ["https://A.Example.com./x", ["a.example.com"], true],
    ["https://a.example.com:8443/", ["a.example.com"], false],
    ["https://a.example.com:8443/", ["a.example.com:8443"], true],
    ["https://a.example.com/", ["a.example.com:443"], true],
    ["http://a.example.com/", ["a.example.com:443"], false],
    ["https://a.example.com/", ["*.example.com"], true],
    ["https://a.b.example.com/", ["*.example.com"], true],
    ["https://example.com/", ["*.example.com"], false],
    ["https://evilexample.com/", ["*.example.com"], false],
    ["https://.example.com/", ["*.example.com"], false],
    ["https://a.example.com.evil.net/", ["a.example.com", "*.example.com"], false],
    ["https://user:pass@evil.net/a.example.com", ["a.example.com"], false],
    ["http://[::1]:99/", ["[::1]:99"], true],
    ["https://a.example.com/", [], false],
    ["https://a.example.com/", ["", "*", "*."], false],
  ])("%s in %j: %s", (url, hosts, expected) => {
    expect(hostMatches(new URL(url), hosts)).toBe(expected);
  });
});

describe("detectLanguage", () => {
  it.each([
    ['"""\ntitle: x\n"""\n\nclass Tools:\n    def a(self):\n        pass\n', "python"],
    ["from pydantic import BaseModel\n\nclass Pipe:\n    async def pipe(self, body): ...", "python"],
    ["import os\nclass Filter(object):\n    pass", "python"],
    ["/**\n * title: x\n * import: y\n */\nexport default class Tools {}", "javascript"],
    ["class Valves { a = 1 }\nexport class Pipe { pipe() {} }", "javascript"],
    ["import x from 'y';\nexport const Tools = {}", "javascript"],
    ["// def x():\nconst a = `\nclass Foo:\n`;\nexport default class Tools { a() {} }", "javascript"],
    ["import os  # the 'os'\r\nclass Tools(\r\n    Base,\r\n):\r\n  x = 1\r\n", "python"],
    ["import {\n  a } from 'y'\nexport { a }", "javascript"],
    ["", "javascript"],
  ])("%j is %s", (source, language) => {
    expect(detectLanguage(source)).toBe(language);
  });

  it.each(["\n", " ", " \n", "class A(\n", "import a ,", "import a , \n", "from a "])(
    "takes no time over many of %j",
    (part) => {
      const source = part.repeat(500_000 / part.length);
      expect(cpuTime(() => expect(detectLanguage(source)).toBeTypeOf("string"))).toBeLessThan(1000);
    },
  );
});

describe("pauses", () => {
  it("begin with the third stop, grow, and are forgotten", () => {
    let now = 0;
    const pauses = new Pauses(() => now);
    const stop = () => {
      pauses.stopped(["a"]);
      return pauses.remaining("a");
    };
    expect([stop(), stop(), stop(), stop(), stop()]).toEqual([0, 0, 15_000, 30_000, 60_000]);
    expect(pauses.remaining("b")).toBe(0);
    now = 59_000;
    expect(pauses.remaining("a")).toBe(1000);
    now = 60_000;
    expect(pauses.remaining("a")).toBe(0);
    now = 11 * 60_000;
    expect(stop()).toBe(0);
  });

  it("are for nobody where it may have been another; but both are kept apart for a while", () => {
    let now = 0;
    const pauses = new Pauses(() => now);
    for (let n = 0; n < 5; n++) pauses.stopped(["a", "b"]);
    pauses.stopped([]);
    expect([pauses.remaining("a"), pauses.remaining("b")]).toEqual([0, 0]);
    expect(["a", "b", "c"].map((plugin) => pauses.isSuspect(plugin))).toEqual([true, true, false]);
    pauses.stopped(["c"]);
    expect(pauses.isSuspect("c")).toBe(true);
    now = 11 * 60_000;
    expect(["a", "b", "c"].map((plugin) => pauses.isSuspect(plugin))).toEqual([false, false, false]);
  });
});

describe("pace", () => {
  it("lets a burst through at once, then so many a second, and forgets in quiet times", () => {
    const pace = new Pace();
    const now = 1e12;
    const waits = Array.from({ length: 2500 }, () => pace.take(1, now));
    expect(waits.slice(0, 2000).every((wait) => wait === 0)).toBe(true);
    expect(waits[2000]).toBe(1);
    expect(waits.at(-1)).toBe(500);
    expect(pace.take(1, now + 501)).toBe(0);
    expect(Array.from({ length: 200 }, () => pace.take(10, now + 10_000)).every((wait) => wait === 0)).toBe(true);
    expect(pace.take(10, now + 10_000)).toBe(10);
  });
});

describe("countValues", () => {
  it.each([
    ["null", 1],
    ["[]", 2],
    ['{"a":1,"b":[2,3]}', 5],
    ['"[,{"', 1],
    [String.raw`["\"",1]`, 3],
    [String.raw`["\\",[]]`, 4],
    ['["', 2],
    ["[".repeat(50), 11],
  ])("%s has %i", (json, count) => {
    expect(countValues(json, 10)).toBe(count);
  });
});

describe("packages on their way", () => {
  it("arrive whole, whatever their size", async () => {
    for (const size of [0, 1, 8_000_000, 8_000_001, 17_000_000]) {
      const sha256 = String(size).padStart(64, "0");
      const bytes = new Uint8Array(size).map((_, at) => at % 251);
      const asked: string[] = [];
      const inbox = new PackageInbox((hash) => asked.push(hash));
      const [opened] = inbox.open([{ name: "a", version: "1", filename: "a.whl", sha256, contents }]);
      const first = opened!.bytes();
      const second = opened!.bytes();
      for (const frame of cutPackage(sha256, bytes)) inbox.take(frame);
      expect(Buffer.compare(await first, bytes)).toBe(0);
      expect(await second).toBe(await first);
      expect(asked).toEqual([sha256]);
    }
    expect(readPiece(cutPackage("f".repeat(64), new Uint8Array([7])).next().value!)).toEqual({
      sha256: "f".repeat(64),
      isLast: true,
      bytes: new Uint8Array([7]),
    });
  });

  it("say why they do not come", async () => {
    const inbox = new PackageInbox(() => undefined);
    const [a, b] = inbox.open(
      ["a", "b"].map((name) => ({ name, version: "1", filename: name, sha256: name, contents })),
    );
    const [first, second] = [a!.bytes(), b!.bytes()];
    inbox.refuse("a", "It was deleted");
    inbox.close();
    await expect(first).rejects.toThrow("It was deleted");
    await expect(second).rejects.toThrow("session has ended");
  });
});

describe("parseUntrusted", () => {
  it("leaves out ways to a prototype, however they are spelled", () => {
    for (const text of ['{"a":{"__proto__":{"x":1},"b":2}}', '{"a":{"\\u005f_proto__":{"x":1},"b":2}}']) {
      const value = parseUntrusted(text) as { a: object };
      expect(Object.getOwnPropertyNames(value.a)).toEqual(["b"]);
    }
    expect(parseUntrusted('["__proto__"]')).toEqual(["__proto__"]);
  });
});
