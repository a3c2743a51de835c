import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { readBytesUpTo, readTextUpTo } from "../http/read-up-to.ts";
import { fromBase64 } from "../lib/base64.ts";
import { isRecord, tryParseJson } from "../lib/json.ts";
import { pictureTypeOf } from "../lib/picture-type.ts";
import type { Connection } from "../models/connections/connection.ts";
import { maxImages } from "./schema.ts";

export interface MadeImage {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
}

/** Bytes of an answer with pictures in it, and of one picture. */
const maxAnswerBytes = 32_000_000;
const maxImageBytes = 12_000_000;
/** Milliseconds for a picture that lies elsewhere. */
const timeoutMs = 30_000;

/**
 * The pictures in a provider's answer: inside it, or at addresses, which are fetched through the guard.
 * @throws AppError `upstream_invalid_answer`; the signal's reason
 */
export async function readImages(
  ctx: Context,
  connection: Connection,
  response: Response,
  signal: AbortSignal,
): Promise<{ images: MadeImage[]; answer: unknown }> {
  const text = await readTextUpTo(response.body, maxAnswerBytes);
  const answer = text === undefined ? undefined : tryParseJson(text);
  const list = isRecord(answer) && Array.isArray(answer["data"]) ? answer["data"].filter(isRecord) : [];
  const images: MadeImage[] = [];
  for (const entry of list.slice(0, maxImages)) {
    const { b64_json: base64, url } = entry;
    const bytes =
      typeof base64 === "string" && base64 !== ""
        ? decode(base64)
        : typeof url === "string"
          ? await fetchImage(ctx, connection, url, signal)
          : undefined;
    const contentType = bytes && pictureTypeOf(bytes.subarray(0, 32));
    if (!bytes || contentType === undefined) throw invalid("something that is not a picture");
    images.push({ bytes, contentType });
  }
  if (images.length === 0) throw invalid("no picture");
  return { images, answer };
}

function decode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  if (base64.length > (maxImageBytes * 4) / 3) throw invalid(`a picture of more than ${maxImageBytes / 1e6} MB`);
  try {
    return fromBase64(base64.replaceAll(/\s/g, ""));
  } catch {
    return undefined;
  }
}

/** Local providers give addresses of their own, which are as trusted as the connection itself. */
async function fetchImage(
  { outbound }: Context,
  { baseUrl }: Connection,
  url: string,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (url.startsWith("data:")) return decode(url.slice(url.indexOf(",") + 1));
  if (!URL.canParse(url)) return undefined;
  const isOwn = new URL(url).origin === new URL(baseUrl).origin;
  const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await (isOwn ? outbound.trusted : outbound.guarded)(url, {
      headers: { accept: "image/*" },
      ...(isOwn ? { redirect: "manual" as const } : {}),
      signal: until,
    });
    if (response.ok) return await readBytesUpTo(response.body, maxImageBytes);
    await response.body?.cancel();
    throw invalid(`an address that returned status ${response.status}`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError && error.code === "upstream_invalid_answer") throw error;
    throw invalid("an address that could not be reached", error);
  }
}

function invalid(what: string, cause?: unknown): AppError {
  return new AppError("upstream_invalid_answer", `The provider answered with ${what}`, { cause });
}
