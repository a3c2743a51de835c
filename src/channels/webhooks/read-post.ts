import type { Context as HonoContext } from "hono";
import * as z from "zod";
import { AppError } from "../../errors.ts";
import { readJson } from "../../http/body.ts";
import type { AppEnvironment } from "../../http/routes.ts";
import { validationError } from "../../http/validation-error.ts";
import { maxKeyLength, postKey } from "../messages/schema.ts";
import { maxPostBytes } from "./schema.ts";

const wholeText = z
  .string()
  .refine((text) => text.trim() !== "", "text that is not empty")
  .refine((text) => text.isWellFormed(), "valid Unicode: the text contains an unpaired surrogate");

export interface InboundPost {
  content: string;
  /** The sender's name for it: sent again, it is the same post. */
  key: string | undefined;
}

/**
 * A post: JSON with `content`, or `text` as some senders call it, with any content type of `curl -d`.
 * @throws AppError `bad_request` for invalid JSON or UTF-8, `unsupported_media_type` for other content types,
 *   `payload_too_large` with the limit, `validation_failed` for content that is missing, empty or not a string
 */
export async function readPost(c: HonoContext<AppEnvironment>): Promise<InboundPost> {
  const body = await readBody(c);
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new AppError("validation_failed", 'expected an object: {"content": "..."}');
  const fields = body as { content?: unknown; text?: unknown };
  const name = fields.content === undefined && fields.text !== undefined ? "text" : "content";
  const content = z.object({ [name]: wholeText }).safeParse({ [name]: fields[name] });
  if (!content.success) throw validationError(content.error);
  const text = content.data[name]!;
  if (new TextEncoder().encode(text).length > maxPostBytes) throw tooLarge();
  return { content: text, key: readKey(c.req.raw.headers) };
}

async function readBody(c: HonoContext<AppEnvironment>): Promise<unknown> {
  const type = c.req.header("content-type") ?? "";
  if (/^multipart\//i.test(type)) throw notJson();
  try {
    return await readJson(c);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "payload_too_large") throw tooLarge();
    // A form without JSON in it: what is wrong is its type.
    throw error.code === "bad_request" && type !== "" && !/json/i.test(type) ? notJson() : error;
  }
}

function readKey(headers: Headers): string | undefined {
  const given = headers.get("idempotency-key");
  if (given === null) return undefined;
  // HTTP has taken the spaces around it away.
  const key = postKey.safeParse(given);
  if (!key.success) throw new AppError("validation_failed", `Idempotency-Key: 1 to ${maxKeyLength} characters`);
  return key.data;
}

function tooLarge(): AppError {
  const message = `The content is larger than ${maxPostBytes / 1024} KB (${maxPostBytes} bytes of UTF-8), which is the limit for a post`;
  return new AppError("payload_too_large", message);
}

function notJson(): AppError {
  return new AppError("unsupported_media_type", "A post must be JSON: send it with Content-Type: application/json");
}
