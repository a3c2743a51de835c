import * as z from "zod";
import { tryParseJson } from "../../lib/json.ts";
import { connectionPolicy, connectionQuirks, policyChange, quirksChange } from "../calling/schema.ts";
import type { Connection } from "./connection.ts";

const options = z.record(
  z.string().regex(/^env-[a-z]+-\d+$/),
  z.strictObject({ quirks: quirksChange.optional(), policy: policyChange.optional() }),
);
export type ConnectionOptions = z.infer<typeof options>;

/** Quirks and policies by the ids of connections from the environment; undefined for a text without such an object. */
export function readConnectionOptions(text: string): ConnectionOptions | undefined {
  return text === "" ? {} : options.safeParse(tryParseJson(text)).data;
}

/** A connection's options, with defaults filled in. */
export function optionsOf(given: ConnectionOptions, id: string): Pick<Connection, "quirks" | "policy"> {
  const { quirks = {}, policy = {} } = given[id] ?? {};
  return { quirks: connectionQuirks.parse(quirks), policy: connectionPolicy.parse(policy) };
}
