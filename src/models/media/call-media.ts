import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { readTextUpTo } from "../../http/read-up-to.ts";
import { networkFailure } from "../../upstream/errors/network-failure.ts";
import { upstreamErrorFromText } from "../../upstream/errors/read-upstream-error.ts";
import { UpstreamError } from "../../upstream/errors/upstream-error.ts";
import { callConnection } from "../call-model.ts";
import { type Connection, secretsOf } from "../connections/connection.ts";
import { headersOf } from "../drivers/fetch-list.ts";
import { wayOut } from "../drivers/way-out.ts";
import { apiRootOf } from "./media-connection.ts";

/** A request to a path of OpenAI's API that is not for chats: pictures and speech. */
export interface MediaCall {
  /** Below the root of the API, such as `/images/generations`. */
  path: string;
  /** The provider's own id of the model. */
  model: string;
  headers?: Record<string, string>;
  /** Made for the only attempt: a second one could cost twice. */
  body(): BodyInit;
  signal: AbortSignal;
}

/** Bytes of a refusal that are read. */
const maxErrorBytes = 100_000;

/**
 * Asks the provider once, within the policy of its connection.
 * @returns a successful answer
 * @throws AppError with the provider's words: `bad_request` for what it refuses, `too_many_requests`, `upstream_unreachable`
 *   or `upstream_timeout`; the signal's reason
 */
export async function callMedia(ctx: Context, connection: Connection, call: MediaCall): Promise<Response> {
  const { path, model, headers = {}, body, signal } = call;
  try {
    const response = await callConnection(
      ctx,
      connection,
      (used, until) =>
        wayOut(ctx.outbound, used)(`${apiRootOf(ctx, used)}${path}`, {
          method: "POST",
          headers: headersOf(used, headers),
          body: body(),
          // A redirect would carry the key to another host.
          redirect: "manual",
          signal: until,
          // Node wants this for bodies that are streams.
          ...({ duplex: "half" } as object),
        }),
      { signal, idempotent: false, model },
    );
    if (response.ok) return response;
    const text = (await readTextUpTo(response.body, maxErrorBytes).catch(() => "")) ?? "";
    const secrets = secretsOf(connection);
    throw upstreamErrorFromText(text, { status: response.status, headers: response.headers, secrets });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    throw inWords(error instanceof UpstreamError ? error : networkFailure(error));
  }
}

/** A provider's failure as one of ours. Its 401 is not the caller's. */
function inWords(error: UpstreamError): AppError {
  const { status, message } = error;
  const words = message.slice(0, 500);
  if (status === 400 || status === 422 || status === 413)
    return new AppError("bad_request", `The provider refused: ${words}`, { cause: error });
  if (status === 429) return new AppError("too_many_requests", `The provider is busy: ${words}`, { cause: error });
  if (status === 504) return new AppError("upstream_timeout", words, { cause: error });
  return new AppError("upstream_unreachable", `The provider failed: ${words}`, { cause: error });
}
