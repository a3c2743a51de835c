import type { Client } from "@libsql/client";

/** A client of which some methods are other ones. @param open the client, asked for what is not one of them */
export function withMethods(open: () => Client, methods: Partial<Pick<Client, "batch" | "execute">>): Client {
  return new Proxy(methods as Client, {
    get(_, name) {
      const own: unknown = Reflect.get(methods, name);
      if (own) return own;
      const client = open();
      const value: unknown = Reflect.get(client, name, client);
      return typeof value === "function" ? value.bind(client) : value;
    },
  });
}
