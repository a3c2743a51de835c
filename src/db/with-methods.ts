import type { Client } from "@libsql/client";

/** A client of which some methods are other ones. */
export function withMethods(client: Client, methods: Partial<Pick<Client, "batch" | "execute">>): Client {
  return new Proxy(client, {
    get(target, name) {
      if (name === "execute" || name === "batch") {
        const own = methods[name];
        if (own) return own;
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
