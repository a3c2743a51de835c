import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkHosts } from "../../src/plugins/hosts.ts";
import { findNamedHosts } from "../../src/plugins/named-hosts.ts";

describe("hosts that a source names", () => {
  test("Python: addresses in texts, not those of comments and descriptions", () => {
    const source = `"""
title: Weather
author_url: https://author.example/me
"""
# see https://comment.example
import requests

class Tools:
    """Uses https://described.example."""
    BASE = 'https://api.weather.example/v1'
    def go(self, city: str) -> str:
        """
        https://also-described.example
        """
        a = requests.get(f"https://geo.example:8443/{city}")
        b = requests.get("http://user:pass@plain.example/x#https://no")
        c = f"https://{self.valves.host}/x"
        d = "wss://live.example/socket"
        e = """text with https://inside.example/a"""
        return a
`;
    expect(findNamedHosts(source, "python")).toEqual([
      "api.weather.example",
      "geo.example:8443",
      "inside.example",
      "live.example",
      "plain.example",
    ]);
  });

  test("TypeScript: the three kinds of texts, and defaults of valves", () => {
    const source = `/** https://doc.example */
// https://comment.example
const a = 'https://single.example', b = "https://double.example:443/x", c = \`https://\${host}/x https://fixed.example/\${b}\`;
`;
    const info = { valveDefaults: { url: "https://valve.example/api", count: 1 }, userValvesSchema: null };
    expect(findNamedHosts(source, "javascript", info)).toEqual([
      "double.example",
      "fixed.example",
      "single.example",
      "valve.example",
    ]);
  });

  test("whatever a source is, each of them can be allowed, and there are few", () => {
    const piece = fc.oneof(
      fc.string(),
      fc.webUrl().map((url) => JSON.stringify(url)),
      fc.constantFrom('"', "'", '"""', "`", "#", "//", "/*", "\n", "\\", "https://"),
    );
    fc.assert(
      fc.property(fc.array(piece), fc.constantFrom("python" as const, "javascript" as const), (pieces, language) => {
        const hosts = findNamedHosts(pieces.join(""), language);
        expect(hosts.length).toBeLessThanOrEqual(50);
        for (const host of hosts) if (!/_|\.$|^-|-$|-\.|\.-|\.\./.test(host)) checkHosts([host]);
      }),
    );
  });

  test("takes little time for a source of 2 MB", () => {
    const begun = performance.now();
    findNamedHosts('"https://a.example/"\n'.repeat(90_000), "python");
    findNamedHosts("'".repeat(1_999_999), "javascript");
    findNamedHosts("\\".repeat(1_999_999), "python");
    findNamedHosts('x = """a a a a a a a a a a '.repeat(80_000), "python");
    expect(performance.now() - begun).toBeLessThan(30_000);
  });
});
