import type { Client, InStatement } from "@libsql/client";
import { inject } from "vitest";
import { isTooLargeValue } from "../src/db/value-size.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** An empty sqld, which is asked whether it understands what tests say to libSQL files. */
    parser: { url: string; token: string };
  }
}

/** By their texts, which repeat: sqld is asked once for each. */
const asked = new Map<string, Promise<string | undefined>>();

/**
 * The client, refusing what sqld would refuse. Worlds run on libSQL files, because they are quick to make, but sqld reads each
 * statement with a parser of its own, which is stricter (no bracket at the beginning, few queries inside each other): such a
 * statement works in every test of this kind, and is a 500 in the service.
 */
export function parsedClient(client: Client): Client {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const isRead = name === "execute" || name === "batch";
      return (...args: unknown[]): unknown => {
        const given = Array.isArray(args[0]) && name === "batch" ? (args[0] as unknown[]) : [args[1] ? args : args[0]];
        if (isRead && given.some(isTooLarge))
          return Promise.reject(
            new Error("ARGS_INVALID: Arguments do not match SQL parameters: string or blob too big"),
          );
        const work: unknown = value.apply(target, args);
        return isRead ? whenUnderstood(given.map(textOf), work as Promise<unknown>) : work;
      };
    },
  });
}

/** Whether a value is larger than sqld takes. */
function isTooLarge(statement: unknown): boolean {
  if (typeof statement === "string") return false;
  const args = Array.isArray(statement) ? (statement[1] as unknown[]) : (statement as { args?: unknown[] }).args;
  return Object.values(args ?? {}).some((value) => typeof value === "string" && isTooLargeValue(value));
}

async function whenUnderstood(texts: readonly string[], work: Promise<unknown>): Promise<unknown> {
  const [result, ...refusals] = await Promise.all([work, ...texts.map(refusalOf)]);
  const at = refusals.findIndex((refusal) => refusal !== undefined);
  if (at !== -1) throw new Error(`sqld refuses a statement: ${String(refusals[at])}\n${texts[at]}`);
  return result;
}

function textOf(statement: unknown): string {
  const given = statement as InStatement | [string, unknown?];
  return typeof given === "string" ? given : Array.isArray(given) ? given[0] : given.sql;
}

/** What sqld says against the text of a statement; undefined where it understands it. */
function refusalOf(sql: string): Promise<string | undefined> {
  const known = asked.get(sql);
  if (known) return known;
  const answer = ask(sql);
  asked.set(sql, answer);
  return answer;
}

interface PipelineAnswer {
  results: [{ type: "ok" } | { type: "error"; error: { message: string } }];
}

/**
 * As a step of a batch whose condition never holds: that is read like any other, and not run. (What `describe` says is SQLite's
 * own opinion.) https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md#batches
 */
async function ask(sql: string): Promise<string | undefined> {
  // Of a file: worlds set theirs up with such.
  if (/^\s*PRAGMA\b/i.test(sql)) return undefined;
  const { url, token } = inject("parser");
  const batch = { steps: [{ condition: { type: "or", conds: [] }, stmt: { sql } }] };
  const response = await fetch(`${url}/v2/pipeline`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ requests: [{ type: "batch", batch }, { type: "close" }] }),
  });
  const [result] = ((await response.json()) as PipelineAnswer).results;
  return result.type === "error" ? result.error.message : undefined;
}
