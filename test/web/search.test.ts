import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SearchTrialResult } from "../../src/web/schema.ts";
import { createWorld, type Person, type World } from "../world.ts";

/** A request as the provider got it. */
interface Sent {
  url: URL;
  method: string;
  headers: Headers;
  body: unknown;
}

let world: World;
let admin: Person;
let sent: Sent[];
let answer: () => Response | Promise<Response>;
beforeEach(async () => {
  sent = [];
  const trusted: typeof fetch = async (input, init) => {
    const request = new Request(input as RequestInfo, init as RequestInit);
    const body = request.method === "POST" ? await request.json() : undefined;
    sent.push({ url: new URL(request.url), method: request.method, headers: request.headers, body });
    return answer();
  };
  world = await createWorld({ services: { outbound: { trusted, guarded: fetch } } });
  admin = await world.admin();
  answer = () => Response.json({});
});
afterEach(() => world.close());

const set = async (values: Record<string, unknown>) => {
  const { status, body } = await world.call("/api/v1/auths/admin/config", { as: admin, json: values });
  expect([status, body]).toEqual([200, body]);
};
const trial = async (query = "last ferry") =>
  (await world.call<SearchTrialResult>("/api/v1/retrieval/web/try", { as: admin, json: { query } })).body;

describe("each provider is asked in its own form", () => {
  it("SearXNG, with an address as Open WebUI writes it or a bare one", async () => {
    answer = () =>
      Response.json({
        results: [{ url: "https://a.example/x#part", title: "A &amp; <b>B</b>", content: "Some  text" }],
      });
    await set({ WEB_SEARCH_ENGINE: "searxng", SEARXNG_QUERY_URL: "http://searxng.lan:8080/search?q=<query>" });
    expect(await trial()).toMatchObject({
      ok: true,
      results: [{ url: "https://a.example/x", title: "A & B", snippet: "Some text" }],
    });
    await set({ SEARXNG_QUERY_URL: "http://searxng.lan:8080" });
    await trial("Größe & mehr");
    expect(sent.map(({ url }) => url.href)).toEqual([
      "http://searxng.lan:8080/search?q=last+ferry&format=json&pageno=1",
      "http://searxng.lan:8080/search?q=Gr%C3%B6%C3%9Fe+%26+mehr&format=json&pageno=1",
    ]);
  });

  it("Brave, with its key in a header of its own", async () => {
    answer = () =>
      Response.json({
        web: { results: [{ url: "https://a.example/", title: "A", description: "<strong>x</strong>" }] },
      });
    await set({ WEB_SEARCH_ENGINE: "brave", BRAVE_SEARCH_API_KEY: "brave-key", WEB_SEARCH_RESULT_COUNT: 3 });
    expect((await trial()).results).toEqual([{ url: "https://a.example/", title: "A", snippet: "x" }]);
    const [{ url, headers }] = sent as [Sent];
    expect(url.href).toBe("https://api.search.brave.com/res/v1/web/search?q=last+ferry&count=7");
    expect(headers.get("x-subscription-token")).toBe("brave-key");
  });

  it("Tavily, as JSON", async () => {
    await set({ WEB_SEARCH_ENGINE: "tavily", TAVILY_API_KEY: "tvly" });
    expect(await trial()).toMatchObject({ ok: true, results: [] });
    expect(sent[0]!.body).toEqual({ query: "last ferry", max_results: 8 });
    expect(sent[0]!.headers.get("authorization")).toBe("Bearer tvly");
  });

  it("Google, ten results at most", async () => {
    answer = () => Response.json({ items: [{ link: "https://a.example/", title: "A", snippet: "s" }] });
    await set({
      WEB_SEARCH_ENGINE: "google_pse",
      GOOGLE_PSE_API_KEY: "g-key",
      GOOGLE_PSE_ENGINE_ID: "cx-1",
      WEB_SEARCH_RESULT_COUNT: 10,
    });
    expect((await trial()).results).toHaveLength(1);
    expect(Object.fromEntries(sent[0]!.url.searchParams)).toEqual({
      q: "last ferry",
      num: "10",
      cx: "cx-1",
      key: "g-key",
    });
  });

  it("one that the administrator describes: with {query} by GET, without by POST", async () => {
    answer = () =>
      Response.json({ data: { hits: [{ page: { href: "https://a.example/" }, name: "A", about: "text" }] } });
    await set({
      WEB_SEARCH_ENGINE: "external",
      EXTERNAL_WEB_SEARCH_URL: "https://find.example/q/{query}?n={count}",
      EXTERNAL_WEB_SEARCH_HEADER: "X-Token: t {key}",
      EXTERNAL_WEB_SEARCH_API_KEY: "own",
      EXTERNAL_WEB_SEARCH_RESULTS: "data.hits",
      EXTERNAL_WEB_SEARCH_ADDRESS: "page.href",
      EXTERNAL_WEB_SEARCH_TITLE: "name",
      EXTERNAL_WEB_SEARCH_SNIPPET: "about",
    });
    expect((await trial("a/b {key}")).results).toEqual([{ url: "https://a.example/", title: "A", snippet: "text" }]);
    expect(sent[0]!.url.href).toBe("https://find.example/q/a%2Fb%20%7Bkey%7D?n=8");
    expect(sent[0]!.headers.get("x-token")).toBe("t own");
    await set({ EXTERNAL_WEB_SEARCH_URL: "https://find.example/search", EXTERNAL_WEB_SEARCH_API_KEY: "" });
    await trial();
    expect([sent[1]!.method, sent[1]!.body, sent[1]!.headers.has("x-token")]).toEqual([
      "POST",
      { query: "last ferry", count: 8 },
      false,
    ]);
  });
});

describe("results", () => {
  beforeEach(() => set({ WEB_SEARCH_ENGINE: "searxng", SEARXNG_QUERY_URL: "http://searxng.lan/search" }));
  const found = (...urls: unknown[]) => {
    answer = () => Response.json({ results: urls.map((url) => ({ url, title: "T" })) });
  };

  it("are of allowed sites alone, each once, and no other addresses", async () => {
    found("https://a.example/", "https://www.a.example/", "https://a.example/", "ftp://a.example/", "javascript:1", 7);
    expect((await trial()).results.map(({ url }) => url)).toEqual(["https://a.example/", "https://www.a.example/"]);
    found("https://a.example/", "https://b.a.example/", "https://nota.example/", "https://bad.a.example/x");
    await set({ WEB_SEARCH_DOMAIN_FILTER_LIST: ["a.example", "!bad.a.example"] });
    expect((await trial()).results.map(({ url }) => url)).toEqual(["https://a.example/", "https://b.a.example/"]);
    await set({ WEB_SEARCH_DOMAIN_FILTER_LIST: ["!a.example"] });
    expect((await trial()).results.map(({ url }) => url)).toEqual(["https://nota.example/"]);
  });

  it.each<[string, () => Response | Promise<Response>, RegExp]>([
    ["a refusal", () => new Response("no", { status: 401 }), /SearXNG refused the key.*401/],
    ["too many", () => new Response("no", { status: 429 }), /too many searches/],
    ["a redirect", () => new Response(null, { status: 302, headers: { location: "https://b.example" } }), /status 302/],
    ["a page", () => new Response("<html>"), /has no list of results/],
    ["another shape", () => Response.json({ results: "none" }), /has no list of results/],
    ["too much", () => new Response("x".repeat(2_100_000)), /has no list of results/],
    ["nobody", () => Promise.reject(new TypeError("connect ECONNREFUSED")), /could not be reached/],
  ])("%s is told in words", async (_, failing, words) => {
    answer = failing;
    const result = await trial();
    expect(result).toMatchObject({ ok: false, results: [] });
    expect(result.error).toMatch(words);
  });

  it("say which setting is missing", async () => {
    await set({ WEB_SEARCH_ENGINE: "tavily" });
    expect((await trial()).error).toBe("Tavily needs “Tavily: key”");
    await set({ WEB_SEARCH_ENGINE: "" });
    expect((await trial()).error).toBe("No provider is chosen for web search");
    expect(sent).toEqual([]);
  });
});

describe("a key", () => {
  const key = "tvly-very-secret";
  beforeEach(() => set({ WEB_SEARCH_ENGINE: "tavily", TAVILY_API_KEY: key }));

  it("is kept encrypted, and neither shown nor written down", async () => {
    const { rows } = await world.client.execute("SELECT value FROM settings WHERE name = 'TAVILY_API_KEY'");
    expect(JSON.stringify(rows)).toMatch(/v1\.k1\./);
    const seen = await Promise.all(
      ["/api/v1/auths/admin/config", "/api/v1/auths/admin/config/schema", "/api/v1/audit/events"].map(async (path) =>
        (await world.request(path, { as: admin })).text(),
      ),
    );
    expect(JSON.stringify([seen, rows, world.logged])).not.toContain(key);
    expect(seen[1]).toMatch(/"name":"TAVILY_API_KEY"[^}]*"is_set":true/);
  });

  it("is in no failure, and is gone when it is emptied", async () => {
    answer = () => Promise.reject(new TypeError(`connect to ${key} failed`));
    expect((await trial()).error).toBe("Tavily could not be reached");
    await set({ TAVILY_API_KEY: "" });
    const { rows } = await world.client.execute("SELECT value FROM settings WHERE name = 'TAVILY_API_KEY'");
    expect(rows).toEqual([]);
    expect((await trial()).error).toBe("Tavily needs “Tavily: key”");
  });

  it("of the environment is used as it is", async () => {
    const other = await createWorld({
      environment: { WEB_SEARCH_ENGINE: "tavily", TAVILY_API_KEY: "from-outside" },
      services: { outbound: world.services.outbound },
    });
    await other.call("/api/v1/retrieval/web/try", { as: await other.admin(), json: { query: "x" } });
    expect(sent.at(-1)!.headers.get("authorization")).toBe("Bearer from-outside");
    await other.close();
  });
});
