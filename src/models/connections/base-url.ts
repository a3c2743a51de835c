import type { ConnectionKind } from "./schema.ts";

/** Endpoints that people paste together with the base address. */
const pastedEndpoint = /\/(?:chat\/completions|completions|embeddings|responses|messages(?:\/count_tokens)?|models)$/;

/**
 * The base address as stored: without trailing slash, query, fragment and pasted endpoint. For a local runtime the
 * root, without `/v1` or `/api`. Undefined for anything except an http(s) address, and for addresses with user name and
 * password, which would be visible wherever the address is shown.
 */
export function normalizeBaseUrl(kind: ConnectionKind, text: string): string | undefined {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return undefined;
  const url = new URL(trimmed);
  const isHttp = url.protocol === "http:" || url.protocol === "https:";
  if (!isHttp || url.hostname === "" || url.username !== "" || url.password !== "") return undefined;
  let path = url.pathname.replace(/\/+$/, "").replace(pastedEndpoint, "").replace(/\/+$/, "");
  if (kind === "local") path = path.replace(/\/(?:v1|api(?:\/[a-z]+)?)$/, "");
  return `${url.origin}${path}`;
}

/**
 * Where the API may be, most likely first. A bare host almost always has it under `/v1`, a few at the root; an address
 * with a path is used as it is.
 */
export function apiRoots(baseUrl: string): [string, ...string[]] {
  return new URL(baseUrl).pathname === "/" ? [`${baseUrl}/v1`, baseUrl] : [baseUrl];
}
