import { isRecord, tryParseJson } from "../../lib/json.ts";
import type { Vault } from "../../ports.ts";
import { readPolicy, readQuirks } from "../calling/read-options.ts";
import type { Connection } from "./connection.ts";
import type { connections } from "./tables.ts";

export type ConnectionRow = typeof connections.$inferSelect;

/** A stored connection with its secrets decrypted. If that fails, it is marked as unusable. */
export async function openConnection(vault: Vault, row: ConnectionRow): Promise<Connection> {
  const { sealedKey, sealedHeaders, quirks, policy, ...rest } = row;
  const connection: Connection = {
    ...rest,
    quirks: readQuirks(quirks),
    policy: readPolicy(policy),
    key: undefined,
    headers: {},
    locked: false,
  };
  try {
    if (sealedKey !== null) connection.key = await vault.open(sealedKey);
    connection.headers = await openHeaders(vault, sealedHeaders);
  } catch {
    connection.unusable = `The stored secrets of ${row.name} cannot be decrypted with this service's keys: enter them again`;
  }
  return connection;
}

/** @throws Error if the text cannot be decrypted. */
export async function openHeaders(vault: Vault, sealed: string | null): Promise<Record<string, string>> {
  if (sealed === null) return {};
  const value = tryParseJson(await vault.open(sealed));
  if (!isRecord(value)) throw new Error("not sealed headers");
  return value as Record<string, string>;
}

/** Encrypted, or null if there are none. */
export async function sealHeaders(vault: Vault, headers: Record<string, string>): Promise<string | null> {
  return Object.keys(headers).length === 0 ? null : vault.seal(JSON.stringify(headers));
}
