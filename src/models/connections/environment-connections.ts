import type { Settings } from "../../context.ts";
import { toBase64 } from "../../lib/base64.ts";
import { usualPolicy, usualQuirks } from "../calling/schema.ts";
import { normalizeBaseUrl } from "./base-url.ts";
import { optionsOf, readConnectionOptions } from "./connection-options.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionKind } from "./schema.ts";

type Variables = Pick<
  Settings,
  | "OPENAI_API_BASE_URLS"
  | "OPENAI_API_KEYS"
  | "ANTHROPIC_API_BASE_URLS"
  | "ANTHROPIC_API_KEYS"
  | "LOCALMODEL_BASE_URLS"
  | "CONNECTION_OPTIONS"
>;

/**
 * Connections from environment variables; their ids are derived from kind and position, so they are the same in every
 * process.
 */
export function environmentConnections(settings: Variables): Connection[] {
  const options = readConnectionOptions(settings.CONNECTION_OPTIONS) ?? {};
  const { OPENAI_API_KEYS: openAiKeys, ANTHROPIC_API_KEYS: anthropicKeys } = settings;
  const connections = [
    ...settings.OPENAI_API_BASE_URLS.map((url, at) => fromVariable("openai", at, url, openAiKeys[at])),
    ...settings.ANTHROPIC_API_BASE_URLS.map((url, at) => fromVariable("anthropic", at, url, anthropicKeys[at])),
    ...settings.LOCALMODEL_BASE_URLS.map((url, at) => fromVariable("local", at, url, undefined)),
  ];
  return connections.map((connection) => ({ ...connection, ...optionsOf(options, connection.id) }));
}

function fromVariable(kind: ConnectionKind, at: number, text: string, key: string | undefined): Connection {
  const url = new URL(text);
  const headers: Record<string, string> = {};
  if (url.username !== "" || url.password !== "") {
    // `fetch` refuses addresses with a name and password; as a header they work, and the address can be shown.
    const credentials = new TextEncoder().encode(`${decoded(url.username)}:${decoded(url.password)}`);
    headers.authorization = `Basic ${toBase64(credentials)}`;
    url.username = "";
    url.password = "";
  }
  return {
    id: `env-${kind}-${at}`,
    kind,
    name: url.host,
    baseUrl: normalizeBaseUrl(kind, url.href) ?? url.href,
    key: key || undefined,
    headers,
    organizationId: null,
    prefixId: "",
    modelIds: [],
    tags: [],
    enabled: true,
    quirks: usualQuirks,
    policy: usualPolicy,
    locked: true,
    createdAt: 0,
    updatedAt: 0,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
