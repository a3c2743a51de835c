import { createClient, type Client } from "@libsql/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkKeys, rememberKeys, WrongKeysError } from "../../scripts/migrate/key-check.ts";
import { type KeyRing, parseKeyRing } from "../../src/lib/key-ring.ts";
import { createVault } from "../../src/lib/vault.ts";

let client: Client;
beforeEach(() => (client = createClient({ url: ":memory:" })));
afterEach(() => client.close());

/** A ring whose first key is the current one; each key is made of one letter. */
function ring(keys: Record<string, string>): KeyRing {
  const encoded = Object.entries(keys).map(([name, letter]) => [name, Buffer.alloc(32, letter).toString("base64")]);
  return parseKeyRing(JSON.stringify({ current: Object.keys(keys)[0], keys: Object.fromEntries(encoded) as object }));
}
const first = ring({ k1: "a" });

test("a new database takes any ring", async () => {
  await expect(checkKeys(client, first)).resolves.toBeUndefined();
});

test("the ring that was used is right, and another one with the same names is not", async () => {
  await rememberKeys(client, first);
  await checkKeys(client, first);
  await expect(checkKeys(client, ring({ k1: "b" }))).rejects.toThrow("another key under the name k1");
  await expect(checkKeys(client, ring({ k9: "b" }))).rejects.toThrow("which was sealed with k1");
  await expect(checkKeys(client, ring({ k9: "b" }))).rejects.toBeInstanceOf(WrongKeysError);
});

test("keys are exchanged one after the other", async () => {
  await rememberKeys(client, first);
  const both = ring({ k2: "b", k1: "a" });
  await checkKeys(client, both);
  await rememberKeys(client, both);
  await checkKeys(client, ring({ k2: "b" }));
  await expect(checkKeys(client, ring({ k2: "b", k1: "c" }))).rejects.toThrow("another key under the name k1");
});

test("new keys take the place of lost ones", async () => {
  await rememberKeys(client, first);
  await rememberKeys(client, ring({ n1: "n" }), true);
  await checkKeys(client, ring({ n1: "n" }));
  await expect(checkKeys(client, first)).rejects.toThrow("sealed with n1");
});

test("a database of a version before is known by what was sealed in it", async () => {
  await client.batch([
    "CREATE TABLE connections (id TEXT, sealed_key TEXT, `sealed_headers` TEXT)",
    "CREATE TABLE hooks (sealed_secret TEXT NOT NULL)",
    "INSERT INTO connections VALUES ('local', NULL, NULL)",
    "INSERT INTO hooks VALUES ('')",
  ]);
  await checkKeys(client, ring({ any: "z" }));
  const sealed = await createVault(first).seal("sk-1");
  await client.execute({ sql: "INSERT INTO connections VALUES ('far', NULL, ?)", args: [sealed] });
  await checkKeys(client, first);
  await expect(checkKeys(client, ring({ k1: "b" }))).rejects.toThrow("which was sealed with k1");
});
