import type { Result, Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

/** A path without variables. */
const fixed = /^[^:*{]+$/;

/** Hono's router for any set of routes, with the result for each path without variables kept: these are most calls, and there are few. */
export class RememberingRouter<T> implements Router<T> {
  readonly name = "RememberingRouter";
  readonly #trie = new TrieRouter<T>();
  /** By path and method. */
  readonly #found = new Map<string, Map<string, Result<T>>>();

  add(method: string, path: string, handler: T): void {
    this.#trie.add(method, path, handler);
    if (fixed.test(path)) this.#found.set(path, new Map());
  }

  match(method: string, path: string): Result<T> {
    const found = this.#found.get(path);
    if (!found) return this.#trie.match(method, path);
    let result = found.get(method);
    if (!result) found.set(method, (result = this.#trie.match(method, path)));
    return result;
  }
}
