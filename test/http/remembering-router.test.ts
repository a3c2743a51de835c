import { TrieRouter } from "hono/router/trie-router";
import { expect, test } from "vitest";
import { RememberingRouter } from "../../src/http/remembering-router.ts";

test("finds what Hono's own router finds, also the second time", () => {
  const routes = [
    ["ALL", "/*"],
    ["GET", "/chats"],
    ["POST", "/chats"],
    ["ALL", "/chats"],
    ["GET", "/chats/:id"],
    ["GET", "/chats/new"],
    ["ALL", "/ollama/*"],
    ["GET", "/files/:id{[0-9]+}"],
  ] as const;
  const [router, trie] = [new RememberingRouter<string>(), new TrieRouter<string>()];
  for (const [method, path] of routes) {
    router.add(method, path, `${method} ${path}`);
    trie.add(method, path, `${method} ${path}`);
  }
  const paths = [
    "/",
    "/chats",
    "/chats/",
    "/chats/1",
    "/chats/new",
    "/chats/:id",
    "/ollama/a/b",
    "/files/7",
    "/files/x",
    "/__proto__",
  ];
  for (const _ of ["first", "second"])
    for (const path of paths)
      for (const method of ["GET", "POST", "DELETE"])
        expect(router.match(method, path)).toEqual(trie.match(method, path));
});
