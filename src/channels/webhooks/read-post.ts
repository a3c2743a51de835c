import type { Context as HonoContext } from "hono";
import * as z from "zod";
import { AppError } from "../../errors.ts";
import { readJson, readJsonText } from "../../http/body.ts";
import type { AppEnvironment } from "../../http/routes.ts";
import { validationError } from "../../http/validation-error.ts";
import { maxKeyLength, postKey } from "../messages/schema.ts";
import { fitPost, type InboundPost } from "./inbound-post.ts";
import { maxPostBytes } from "./schema.ts";
import { readGithub } from "./senders/github/github.ts";
import { recordOf } from "./senders/json-fields.ts";
import { senderOf } from "./senders/read-sender.ts";
import type { JsonRecord } from "./senders/sender-post.ts";
import { slack } from "./senders/slack.ts";

const wholeText = z
  .string()
  .refine((text) => text.trim() !== "", "text that is not empty")
  .refine((text) => text.isWellFormed(), "valid Unicode: the text contains an unpaired surrogate");

/**
 * A post: JSON with `content`, or in a form that other programs send, with any content type of `curl -d`.
 * @throws AppError `bad_request` for invalid JSON or UTF-8, `unsupported_media_type` for other content types,
 *   `payload_too_large` with the limit, `validation_failed` for what says nothing, with how it was understood
 */
export async function readPost(c: HonoContext<AppEnvironment>): Promise<InboundPost> {
  const body = requireObject(await readBody(c));
  const key = readKey(c.req.raw.headers);
  const sender = senderOf(body);
  if (sender) return fitPost(sender.name, sender.read(body), key);
  if (body["content"] === undefined) throw notUnderstood(body);
  const content = z.object({ content: wholeText }).safeParse({ content: body["content"] });
  if (!content.success) throw validationError(content.error);
  const text = content.data.content;
  if (new TextEncoder().encode(text).length > maxPostBytes) throw tooLarge();
  return { format: "Parley", content: text, key };
}

/**
 * A post in Slack's form, as JSON or as a form with `payload`.
 * @throws AppError as `readPost`
 */
export async function readSlackPost(c: HonoContext<AppEnvironment>): Promise<InboundPost> {
  const body = requireObject(await readPayload(c));
  return fitPost(slack.name, slack.read(body), readKey(c.req.raw.headers));
}

/**
 * A delivery of GitHub, as JSON or as a form with `payload`; a repeated one is the same post.
 * @throws AppError as `readPost`
 */
export async function readGithubPost(c: HonoContext<AppEnvironment>): Promise<InboundPost> {
  const event = c.req.header("x-github-event")?.trim() ?? "";
  if (!/^[a-z_]{1,60}$/.test(event))
    throw new AppError(
      "validation_failed",
      "The header X-GitHub-Event is missing: only GitHub's deliveries are posted here",
    );
  const body = requireObject(await readPayload(c));
  const delivery = postKey.safeParse(c.req.header("x-github-delivery"));
  return fitPost("GitHub", readGithub(event, body), readKey(c.req.raw.headers) ?? delivery.data);
}

function requireObject(body: unknown): JsonRecord {
  const record = recordOf(body);
  if (!record) throw new AppError("validation_failed", 'expected an object: {"content": "..."}');
  return record;
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

/** The JSON of a body, or of the field `payload` of a form. */
async function readPayload(c: HonoContext<AppEnvironment>): Promise<unknown> {
  const type = c.req.header("content-type") ?? "";
  if (/^multipart\//i.test(type)) throw notJson();
  const { text } = await readJsonText(c);
  const form = /^application\/x-www-form-urlencoded/i.test(type) ? new URLSearchParams(text).get("payload") : null;
  try {
    return JSON.parse(form ?? text);
  } catch {
    throw new AppError("bad_request", form === null ? "The body is not valid JSON" : "The payload is not valid JSON");
  }
}

/** What an object in no known form is told. */
function notUnderstood(body: JsonRecord): AppError {
  const names = Object.keys(body).filter((name) => /^[\w@.-]{1,40}$/.test(name));
  const isGithubs = recordOf(body["repository"]) !== undefined && recordOf(body["sender"]) !== undefined;
  const found = names.length === 0 ? "" : ` It has ${names.slice(0, 10).join(", ")}.`;
  const message = isGithubs
    ? "This is GitHub's form: add /github to the address"
    : `content: expected text. The body is in no form that is known here.${found}`;
  const issues = [{ path: "content", message: "expected text" }];
  return new AppError("validation_failed", message, { param: "content", issues });
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
