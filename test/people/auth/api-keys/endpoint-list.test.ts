import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createApp, declaredRoutes, siblingPaths } from "../../../../src/app.ts";
import { createEndpointList, isSpelledAs } from "../../../../src/people/auth/api-keys/endpoint-list.ts";

const list = createEndpointList([
  ["/api/models", "/api/v1/models"],
  ["/api/message", "/api/v1/messages"],
]);
const includes = (entries: string, route: string) => {
  const [method, path] = route.split(" ") as [string, string];
  return list.includes(entries, { method, path });
};

describe("an entry", () => {
  test.each([
    ["/api/models", "GET /api/models"],
    ["/api/models", "POST /api/models"],
    ["/api/models/", "GET /api/models"],
    ["/api/models", "GET /api/models/"],
    ["GET /api/models", "GET /api/models"],
    ["get /api/models", "GET /api/models"],
    ["HEAD /api/models", "GET /api/models"],
    ["GET   /api/models", "GET /api/models"],
    ["/api/v1/chats/:id", "GET /api/v1/chats/:id"],
    ["/api/v1/chats/{id}", "GET /api/v1/chats/:id"],
    ["/api/v1/chats/:chat_id", "GET /api/v1/chats/:id"],
    ["/api/v1/chats/{id}/tags", "GET /api/v1/chats/:id/tags"],
    ["/api/v1/pages/:path", "GET /api/v1/pages/:path{.+}"],
    ["/api/v1/chats/*", "GET /api/v1/chats/:id/tags"],
    ["/api/v1/chats/*", "GET /api/v1/chats"],
    ["POST /api/v1/chats/*", "POST /api/v1/chats/new"],
    ["/localmodel/*", "GET /localmodel/*"],
    ["/*", "GET /anything/at/all"],
    [" /nothing , /api/models ,", "GET /api/models"],
    // Siblings are one thing.
    ["/api/models", "GET /api/v1/models"],
    ["/api/v1/models/", "GET /api/models/"],
    ["GET /api/v1/models", "GET /api/models"],
    ["/api/message", "POST /api/v1/messages"],
    ["/api/v1/*", "POST /api/message"],
  ])("%j lets %s through", (entries, route) => {
    expect(includes(entries, route)).toBe(true);
  });

  test.each([
    ["", "GET /api/models"],
    [",", "GET /api/models"],
    ["/api/model", "GET /api/models"],
    ["/api/models", "GET /api/models/base"],
    ["/api/models", "GET /api/models/:id"],
    ["/api/models/base", "GET /api/models/:id"],
    ["/api/v1/chats/:id", "GET /api/v1/chats/list"],
    ["POST /api/models", "GET /api/models"],
    ["POST /api/models", "GET /api/v1/models"],
    ["/api/v1/chat/*", "GET /api/v1/chats"],
    ["/api//models", "GET /api/models"],
    ["/api/./models", "GET /api/models"],
    ["/api/x/../models", "GET /api/models"],
    ["/api/%6dodels", "GET /api/models"],
    ["/API/models", "GET /api/models"],
    ["api/models", "GET /api/models"],
    ["https://parley.test/api/models", "GET /api/models"],
    ["/api/models?x=1", "GET /api/models"],
    ["/api/models//", "GET /api/models"],
    ["/api/*/models", "GET /api/v1/models"],
    ["*", "GET /api/models"],
    ["GET", "GET /api/models"],
    ["/", "GET /api/models"],
    ["/api/mod*", "GET /api/models"],
    ["/api/models GET", "GET /api/models"],
    ["/api/models;/api/chats", "GET /api/models"],
    ["constructor", "GET /constructor"],
    ["?", "GET ?"],
  ])("%j does not let %s through", (entries, route) => {
    expect(includes(entries, route)).toBe(false);
  });
});

describe("the explanation", () => {
  const routes = [
    { method: "GET", path: "/api/models" },
    { method: "GET", path: "/api/v1/models" },
    { method: "POST", path: "/api/chat" },
  ];

  test("says what each entry means, and which mean nothing", () => {
    expect(list.explain("GET /api/models, /api/chats,/api/chat", routes)).toEqual({
      entries: [
        { entry: "GET /api/models", routes: ["GET /api/models", "GET /api/v1/models"] },
        { entry: "/api/chats", routes: [] },
        { entry: "/api/chat", routes: ["POST /api/chat"] },
      ],
      unknown: ["/api/chats"],
    });
    expect(list.explain("", routes)).toEqual({ entries: [], unknown: [] });
  });
});

describe("a path is spelled as its pattern", () => {
  test.each([
    ["/api/models", "/api/models", true],
    ["/api/%6dodels", "/api/models", false],
    ["/api/models/", "/api/models", true],
    ["/api/v1/chats/a%20b", "/api/v1/chats/:id", true],
    ["/api/v1/ch%61ts/x", "/api/v1/chats/:id", false],
    ["/localmodel/api/tags", "/localmodel/*", true],
    ["/localmode%6c/api/tags", "/localmodel/*", false],
  ])("%s as %s: %s", (path, pattern, expected) => {
    expect(isSpelledAs(path, pattern)).toBe(expected);
  });
});

describe("with the routes there are", () => {
  const routes = declaredRoutes(createApp().routes);
  const real = createEndpointList(siblingPaths);
  const plain = (path: string) => path.replace(/\/$/, "");
  const siblings = new Map(siblingPaths.flatMap((group) => group.map((path) => [path, group])));
  const same = (one: string, other: string) =>
    plain(one) === plain(other) || siblings.get(plain(one))?.includes(plain(other)) === true;

  test("siblings are paths that exist", () => {
    const known = new Set(routes.map((route) => plain(route.path)));
    expect(siblingPaths.flat().filter((path) => !known.has(path))).toEqual([]);
  });

  const spellings = (path: string) => siblings.get(plain(path)) ?? [path];
  /** Whether a route is one of those that a route for everything below a path stands for too. */
  const isBelow = (path: string, whole: string) =>
    spellings(whole)
      .filter((spelling) => spelling.endsWith("/*"))
      .some((above) => spellings(path).some((spelling) => spelling.startsWith(above.slice(0, -1))));

  test("each route can be listed, and lets through itself, its spellings, siblings and what is below, and nothing else", () => {
    for (const listed of routes) {
      const passing = routes.filter((route) => real.includes(`${listed.method} ${listed.path}`, route));
      const expected = routes.filter(
        ({ method, path }) => method === listed.method && (same(path, listed.path) || isBelow(path, listed.path)),
      );
      expect(passing).toContainEqual(listed);
      expect(passing).toEqual(expected);
    }
  });

  test("a longer list never lets less through, and order and blanks do not count", () => {
    const entry = fc.oneof(
      fc.constantFrom(...routes).map((route) => route.path),
      fc.constantFrom(...routes).map((route) => `${route.method} ${route.path.replaceAll(/:(\w+)/g, "{$1}")}`),
      fc.constantFrom(...routes).map((route) => `${route.path.replace(/\/[^/]*$/, "")}/*`),
      fc.string().map((text) => text.replaceAll(",", "")),
    );
    const passing = (entries: string[]) => routes.filter((route) => real.includes(entries.join(" , "), route));
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 5 }), fc.array(entry, { maxLength: 5 }), (one, other) => {
        const union = new Set([...passing(one), ...passing(other)]);
        expect(new Set(passing([...other, ...one]))).toEqual(union);
      }),
    );
  });

  test("an entry that is nearly a route lets through what its letters say", () => {
    const letters = fc.constantFrom("/", ".", "..", "%2e", "//", "x", "*", "/*", "?", "\\", "%2f", ";", " ");
    const mangled = fc
      .constantFrom(...routes)
      .chain((route) =>
        fc
          .tuple(fc.nat({ max: route.path.length }), letters)
          .map(([at, text]) => route.path.slice(0, at) + text + route.path.slice(at)),
      );
    const unnamed = (path: string) => plain(path).replaceAll(/\/:[\w-]+(?=\/|$)/g, "/:");
    const letsThrough = (entry: string, path: string) => {
      const above = entry.endsWith("/*") ? unnamed(entry.slice(0, -2)) : undefined;
      return (siblings.get(plain(path)) ?? [path])
        .map(unnamed)
        .some((own) => (above === undefined ? own === unnamed(entry) : own === above || own.startsWith(`${above}/`)));
    };
    fc.assert(
      fc.property(mangled, (entry) => {
        const text = entry.trim();
        for (const route of routes) {
          expect([text, route.path, real.includes(entry, route)]).toEqual([
            text,
            route.path,
            !text.includes(" ") && letsThrough(text, route.path),
          ]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
