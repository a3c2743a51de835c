import type { Context as HonoContext } from "hono";
import type { Context } from "../context.ts";
import { clientAddress } from "./client-address.ts";
import type { AppEnvironment } from "./routes.ts";

/** The pieces of an answer as they are, with their number of bytes told at the end, or when the caller has gone. */
function counted(body: ReadableStream<Uint8Array>, ended: (bytes: number, isWhole: boolean) => void) {
  const reader = body.getReader();
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            ended(bytes, true);
            controller.close();
            return;
          }
          bytes += value.byteLength;
          controller.enqueue(value);
        } catch (error) {
          ended(bytes, false);
          controller.error(error);
        }
      },
      async cancel(reason) {
        ended(bytes, false);
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * With ACCESS_LOG, writes a line about an answered request, when the last byte has gone. The route is the declared path: what a
 * caller puts into a path or behind its `?` may be a secret.
 * @param begun by `performance.now()`
 */
export function noteAccess(c: HonoContext<AppEnvironment>, begun: number): void {
  const { environment, log } = c.env;
  if (environment.ACCESS_LOG !== true) return;
  const { declared } = c.get("route");
  const { status } = c.res;
  // Bare routes have no context.
  const actor = (c.get("ctx") as Context | undefined)?.actor;
  const ended = (bytes: number, isWhole: boolean) =>
    log.info("request", {
      method: c.req.method,
      route: declared?.path ?? "unknown",
      status,
      ms: Math.round(performance.now() - begun),
      bytes,
      ...(isWhole ? {} : { aborted: true }),
      client: clientAddress(environment, c.req.raw.headers) ?? null,
      ...(actor?.kind === "user" ? { person: actor.id } : {}),
    });
  const length = c.res.headers.get("content-length");
  if (c.res.body === null || length !== null) {
    ended(Number(length ?? 0), true);
    return;
  }
  c.res = new Response(counted(c.res.body, ended), c.res);
}
