import type { ConnectionKind } from "./schema.ts";

/** Endpoints that people paste along with the base address. */
const pastedEndpoint = /\/(?:chat\/completions|completions|embeddings|responses|messages(?:\/count_tokens)?|models)$/;

/**
 * The base address as it is stored: no trailing slash, query or fragment, without an endpoint that was pasted along. A
 * local runtime's is its root, whatever of `/v1` or `/api` was given. Undefined for what is no http(s) address, or holds
 * a name and password: those would show wherever the address is shown.
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
 * Where the API may begin, most likely first. A bare host almost always has it under `/v1`, a few have it at the root;
 * an address with a path is meant as it is.
 */
export function apiRoots(baseUrl: string): [string, ...string[]] {
  return new URL(baseUrl).pathname === "/" ? [`${baseUrl}/v1`, baseUrl] : [baseUrl];
}
