import { requireUser } from "../access.ts";
import type { Context, Environment } from "../context.ts";
import { AppError } from "../errors.ts";
import { joinBytes } from "../lib/join-bytes.ts";
import { pictureHeadLength, pictureTypeOf } from "../lib/picture-type.ts";
import type { BucketLimits } from "../lib/token-bucket.ts";
import { TokenBuckets } from "../lib/token-buckets.ts";
import { proxiedPicture } from "../shared/outside-pictures.ts";

/** Maximum bytes of a picture, and milliseconds from the request to its last byte. */
export const outsidePictureLimits = { maxBytes: 5_000_000, timeoutMs: 15_000 };

/** Pictures of a person: a long page of them at once, and then as many as somebody can look at. */
const bucketLimits: BucketLimits = { maxBurst: 120, maxPerSecond: 2 };
const maxBuckets = 1000;

/** By environment: one per isolate, and one for each of several services in one process. */
const buckets = new WeakMap<Environment, TokenBuckets>();

/** The address for readers of a stored picture that lies elsewhere; undefined where such pictures are not shown. */
export function readableAddress(ctx: Context, address: string): string | undefined {
  return ctx.settings.OUTSIDE_PICTURES === "link" ? undefined : proxiedPicture(address);
}

/**
 * A picture of another site. The site is told neither who asks nor where it is shown. The body is handed on as it
 * arrives, and breaks off when it is too large or too slow.
 * @param signal of the request
 * @throws AppError `forbidden` where the setting says so; `validation_failed`; `too_many_requests`;
 *   `address_not_allowed`; `upstream_unreachable`; `upstream_timeout`; `upstream_invalid_answer` for what is no picture
 */
export async function fetchOutsidePicture(
  ctx: Context,
  address: string,
  signal: AbortSignal,
): Promise<{ type: string; body: ReadableStream<Uint8Array> }> {
  const user = requireUser(ctx);
  if (ctx.settings.OUTSIDE_PICTURES === "link")
    throw new AppError("forbidden", "Pictures of other sites are switched off");
  const url = readAddress(address);
  takeOne(ctx.environment, user.id);
  const late = AbortSignal.timeout(outsidePictureLimits.timeoutMs);
  const until = AbortSignal.any([signal, late]);
  try {
    const response = await ctx.outbound.guarded(url.href, {
      // Nothing of the reader's request. Some sites refuse callers without a name.
      headers: { accept: "image/avif,image/webp,image/png,image/jpeg,image/gif", "user-agent": "Parley" },
      signal: until,
    });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      throw new AppError("upstream_unreachable", `${url.host} returned no picture (status ${response.status})`);
    }
    if (Number(response.headers.get("content-length")) > outsidePictureLimits.maxBytes) {
      await response.body.cancel();
      throw tooLarge(url);
    }
    return await readPicture(response.body as ReadableStream<Uint8Array>, url);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    if (late.aborted) throw new AppError("upstream_timeout", `${url.host} did not answer in time`, { cause: error });
    throw new AppError("upstream_unreachable", `${url.host} could not be reached`, { cause: error });
  }
}

function readAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    const message = "Expected an http(s) address without a password";
    throw new AppError("validation_failed", `url: ${message}`, { param: "url", issues: [{ path: "url", message }] });
  }
  url.hash = "";
  return url;
}

function takeOne(environment: Environment, person: string): void {
  const known = buckets.get(environment) ?? new TokenBuckets(bucketLimits, maxBuckets);
  buckets.set(environment, known);
  const now = Date.now();
  if (!known.open(person, now).take(now))
    throw new AppError("too_many_requests", "Too many pictures of other sites at once", { retryAfter: 1 });
}

/** Reads as much as tells the type, and hands on the rest. */
async function readPicture(
  body: ReadableStream<Uint8Array>,
  url: URL,
): Promise<{ type: string; body: ReadableStream<Uint8Array> }> {
  const reader = body.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  while (length < pictureHeadLength) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
  }
  const head = joinBytes(parts);
  const type = pictureTypeOf(head);
  if (type === undefined || length > outsidePictureLimits.maxBytes) {
    await reader.cancel();
    throw type === undefined ? noPicture(url) : tooLarge(url);
  }
  const rest = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(head),
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) {
        controller.close();
        return;
      }
      length += value.length;
      if (length > outsidePictureLimits.maxBytes) {
        await reader.cancel();
        controller.error(tooLarge(url));
        return;
      }
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { type, body: rest };
}

function noPicture(url: URL): AppError {
  return new AppError("upstream_invalid_answer", `${url.host} returned no PNG, JPEG, GIF, WebP or AVIF picture`);
}

function tooLarge(url: URL): AppError {
  const megabytes = outsidePictureLimits.maxBytes / 1e6;
  return new AppError("upstream_invalid_answer", `The picture of ${url.host} is larger than ${megabytes} MB`);
}
