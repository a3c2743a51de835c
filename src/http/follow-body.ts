import type { Context as HonoContext } from "hono";
import type { AppEnvironment } from "./routes.ts";

/** What became of an answer. */
export interface AnswerEnd {
  bytes: number;
  /** False if the caller left before the end, or the rest never came. */
  isWhole: boolean;
}

/** The pieces of an answer as they are, with their number of bytes told at the end, or when the caller has gone. */
function counted(body: ReadableStream<Uint8Array>, ended: (end: AnswerEnd) => void) {
  const reader = body.getReader();
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            ended({ bytes, isWhole: true });
            controller.close();
            return;
          }
          bytes += value.byteLength;
          controller.enqueue(value);
        } catch (error) {
          ended({ bytes, isWhole: false });
          controller.error(error);
        }
      },
      async cancel(reason) {
        ended({ bytes, isWhole: false });
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Calls back when the last byte of the answer has gone; at once if its length is known. */
export function followBody(c: HonoContext<AppEnvironment>, ended: (end: AnswerEnd) => void): void {
  const length = c.res.headers.get("content-length");
  if (c.res.body === null || length !== null) ended({ bytes: Number(length ?? 0), isWhole: true });
  else c.res = new Response(counted(c.res.body, ended), c.res);
}
