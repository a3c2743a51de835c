import { AppError } from "../../errors.ts";
import type { PluginEntry } from "../../plugins/plugin-index.ts";
import { usualPolicy, usualQuirks, type ConnectionPolicy, type ConnectionQuirks } from "../calling/schema.ts";
import type { DriverKind } from "../drivers/driver.ts";
import type { ConnectionKind } from "./schema.ts";

/** A connection as drivers use it: decrypted, plain data, never sent to anyone. */
export interface Connection {
  id: string;
  kind: ConnectionKind;
  name: string;
  baseUrl: string;
  /** Where the model list was found; `/v1` below a bare host, or the host itself. */
  apiRoot?: string | undefined;
  key: string | undefined;
  /** Extra request headers; their values may be secrets. */
  headers: Record<string, string>;
  /** Whose own (direct) connection it is: only this person uses it, and only public addresses are called. */
  ownerId?: string;
  /** The organization whose people use it; null for everyone. */
  organizationId: string | null;
  /** Prefix of each model id, followed by a dot; empty for none. */
  prefixId: string;
  /** Model ids to include; empty for all. */
  modelIds: string[];
  tags: string[];
  enabled: boolean;
  /** How the provider's requests differ from OpenAI's API. */
  quirks: ConnectionQuirks;
  /** How calls are made. */
  policy: ConnectionPolicy;
  /** From the environment: shown, but not editable. */
  locked: boolean;
  /** Set if the stored secrets cannot be decrypted; such a connection is not used. */
  unusable?: string;
  createdAt: number;
  updatedAt: number;
  /** Set if it is not a real connection: a function has the models. */
  pipe?: PluginEntry;
}

/** A connection with nothing set. */
export const blankConnection: Connection = {
  id: "",
  kind: "openai",
  name: "",
  baseUrl: "",
  key: undefined,
  headers: {},
  organizationId: null,
  prefixId: "",
  modelIds: [],
  tags: [],
  enabled: true,
  quirks: usualQuirks,
  policy: usualPolicy,
  locked: false,
  createdAt: 0,
  updatedAt: 0,
};

/** The driver for its models. */
export function driverKindOf({ kind, pipe }: Pick<Connection, "kind" | "pipe">): DriverKind {
  return pipe ? "function" : kind;
}

/** Values that must never appear in an answer or a log line: keys and header values; for `redactSecrets`. */
export function secretsOf(connection: Pick<Connection, "key" | "headers">): string[] {
  const values = Object.values(connection.headers).flatMap((value) => [
    value,
    value.replace(/^(?:Bearer|Basic)\s+/i, ""),
  ]);
  return [...new Set([...(connection.key ? [connection.key] : []), ...values])].filter((value) => value !== "");
}

/** The model id for callers. */
export function withPrefix(connection: Pick<Connection, "prefixId">, upstreamId: string): string {
  return connection.prefixId === "" ? upstreamId : `${connection.prefixId}.${upstreamId}`;
}

/** The provider's own id, or undefined if the id cannot belong to this connection. */
export function withoutPrefix(connection: Pick<Connection, "prefixId" | "pipe">, id: string): string | undefined {
  const { pipe } = connection;
  // A function's models are called by their whole ids, as its code knows them.
  if (pipe) return id === pipe.id || id.startsWith(`${pipe.id}.`) ? id : undefined;
  if (connection.prefixId === "") return id;
  const start = `${connection.prefixId}.`;
  return id.startsWith(start) && id.length > start.length ? id.slice(start.length) : undefined;
}

/** @throws AppError `upstream_unreachable` for a connection whose secrets cannot be decrypted. */
export function requireUsable(connection: Connection): Connection {
  if (connection.unusable !== undefined) throw new AppError("upstream_unreachable", connection.unusable);
  return connection;
}
