import type { User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { fetchBounded, isOutage, type Answer } from "../bounded-fetch.ts";
import { callHeaders } from "../call-headers.ts";
import { ServerFailure } from "../server-failure.ts";
import { isTrusted } from "../server-rights.ts";
import type { Listing } from "../tool-server-state.ts";
import type { ToolServer } from "../tool-server.ts";
import { maxDocumentBytes, readOpenapiDocument } from "./read-openapi-document.ts";
import { readOperations } from "./read-operations.ts";

/** The address of the document: absolute, or a path below the server's; default `openapi.json`. */
export function documentAddress({ url, specPath }: Pick<ToolServer, "url" | "specPath">): URL {
  if (/^https?:\/\//i.test(specPath)) return new URL(specPath);
  const path = specPath === "" ? "/openapi.json" : `/${specPath.replace(/^\/+/, "")}`;
  return new URL(url.replace(/\/+$/, "") + path);
}

/**
 * Fetches the document of an OpenAPI server. Authentication is sent only to the server itself, not to another host of
 * the document.
 * @throws ServerFailure
 */
export async function fetchOpenApiListing(
  ctx: Context,
  user: User,
  server: ToolServer,
  timeoutMs: number,
): Promise<Listing> {
  const address = documentAddress(server);
  const isOwn = address.origin === new URL(server.url).origin;
  const fetch = isTrusted(server) ? ctx.outbound.trusted : ctx.outbound.guarded;
  let proof: string | undefined;
  const ask = async (rejected?: string): Promise<Answer> => {
    const headers = new Headers();
    if (isOwn) {
      const call = await callHeaders(ctx, user, server, noPlace, rejected);
      ({ proof } = call);
      for (const [name, value] of call.headers) headers.set(name, value);
    }
    headers.set("accept", "application/json, application/yaml, text/yaml;q=0.9, */*;q=0.5");
    return fetchBounded(fetch, address, { headers }, { timeoutMs, maxBytes: maxDocumentBytes });
  };
  let answer = await ask();
  if (answer.status === 401 && isOwn && server.authType === "oauth") answer = await ask(proof);
  const { status, bytes, url } = answer;
  if (status < 200 || status >= 300) throw refusal(status, url);
  return readOperations(readOpenapiDocument(bytes, url.host), server.url, url);
}

const noPlace = { chatId: undefined, messageId: undefined };

function refusal(status: number, url: URL): ServerFailure {
  if (isOutage(status)) return new ServerFailure("outage", `${url.host} is not available (${status})`);
  if (status === 401 || status === 403)
    return new ServerFailure("answer", `${url.host} denied access (${status}): check the key`);
  if (status === 404)
    return new ServerFailure("answer", `No OpenAPI document at ${url.host}${url.pathname}: check the path`);
  return new ServerFailure(status >= 500 ? "outage" : "answer", `${url.host} returned an error (${status})`);
}
