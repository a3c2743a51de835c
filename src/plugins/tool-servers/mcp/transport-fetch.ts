import type { FetchLike } from "@modelcontextprotocol/client";
import type { User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { isOutage } from "../bounded-fetch.ts";
import { callHeaders } from "../call-headers.ts";
import { outage, ServerFailure } from "../server-failure.ts";
import { isTrusted } from "../server-rights.ts";
import type { ToolServer } from "../tool-server.ts";
import type { CallPlace } from "../user-information.ts";

/** Largest answer to one message, streamed or not. */
const maxBytes = 10_000_000;

/** Failures below the protocol, which reports them less clearly, and secrets that must not appear in answers. */
export interface TransportNotes {
  failure: ServerFailure | undefined;
  secrets: string[];
}

/**
 * Fetches from an MCP server: with authentication, chat and message on every request, limited in size. The server's
 * push stream is not opened, because nothing uses it.
 */
export function transportFetch(
  ctx: Context,
  user: User,
  server: ToolServer,
  place: CallPlace,
  notes: TransportNotes,
): FetchLike {
  const fetch = isTrusted(server) ? ctx.outbound.trusted : ctx.outbound.guarded;
  return async (address, init) => {
    const url = new URL(address);
    const method = init?.method ?? "GET";
    const own = new Headers(init?.headers);
    if (method === "GET" && !own.has("last-event-id")) return new Response(null, { status: 405 });
    const signal = init?.signal ?? new AbortController().signal;
    let proof: string | undefined;
    const send = async (rejected?: string) => {
      const call = await callHeaders(ctx, user, server, place, rejected);
      ({ proof } = call);
      notes.secrets = call.secrets;
      const sent = new Headers(own);
      for (const [name, value] of call.headers) sent.set(name, value);
      const body = init?.body;
      return fetch(url.href, { method, headers: sent, ...(body ? { body } : {}), redirect: "manual", signal });
    };
    try {
      let response = await send();
      if (response.status === 401 && server.authType === "oauth") {
        await response.body?.cancel();
        response = await send(proof);
      }
      notes.failure = refusal(response.status, url);
      return bounded(response, url, notes);
    } catch (error) {
      if (signal.aborted) throw error;
      notes.failure =
        error instanceof ServerFailure
          ? error
          : error instanceof AppError
            ? new ServerFailure("refused", error.message)
            : await outage(error, url, fetch, signal);
      throw notes.failure;
    }
  };
}

/** What a status says that no protocol text explains better. */
function refusal(status: number, url: URL): ServerFailure | undefined {
  if (isOutage(status)) return new ServerFailure("outage", `${url.host} is not available (${status})`);
  if (status === 401 || status === 403)
    return new ServerFailure("answer", `${url.host} denied access (${status}): check its authentication`);
  if (status >= 300 && status < 400)
    return new ServerFailure("answer", `${url.host} redirects to another address: enter the final address`);
  return undefined;
}

function bounded(response: Response, url: URL, notes: TransportNotes): Response {
  if (!response.body) return response;
  let length = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      length += chunk.byteLength;
      if (length <= maxBytes) return controller.enqueue(chunk);
      notes.failure = new ServerFailure("answer", `${url.host} returned more than ${maxBytes / 1_000_000} MB`);
      controller.error(notes.failure);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
}
