import * as z from "zod";
import type { Context } from "../../../context.ts";
import { readTextUpTo } from "../../../http/read-up-to.ts";
import { retryAfterSeconds } from "../../../http/retry-after.ts";
import { JobFailure } from "../../../jobs/job-failure.ts";
import { tryParseJson } from "../../../lib/json.ts";
import { networkFailure } from "../../../upstream/errors/network-failure.ts";
import { redactSecrets } from "../../../upstream/errors/redact-secrets.ts";

/** A file for an external reader. */
export interface ExternalDocument {
  filename: string;
  contentType: string;
  body: ReadableStream<Uint8Array>;
}

/** A part of its text: a page, if the service separates pages. */
export interface ExternalText {
  text: string;
  page: number | null;
  label: string | null;
}

/** Bytes of an answer, which is held as a whole. */
const maxAnswerBytes = 16e6;
const maxErrorBytes = 10_000;

const part = z.object({
  page_content: z.string(),
  metadata: z
    .object({ page: z.number().int().optional(), page_label: z.coerce.string().optional() })
    .catch({})
    .optional(),
});
const answerSchema = z.union([part.transform((one) => [one]), z.array(part)]);

/** Whether there is an external reader, and whether it reads all files or only those that Parley cannot read. */
export function externalReading(ctx: Pick<Context, "settings">): "all" | "rest" | "none" {
  const { EXTERNAL_DOCUMENT_LOADER_URL: url, CONTENT_EXTRACTION_ENGINE: engine } = ctx.settings;
  if (url === "") return "none";
  return engine === "external" ? "all" : "rest";
}

/**
 * Sends a file to the external reader: its bytes as `PUT {address}/process`, with its type and its name
 * (percent-encoded, in X-Filename), a common interface. The answer is `{page_content, metadata}` or a list of them.
 * @throws JobFailure `reader_failed`, final if a retry cannot help; `file_no_text` for an answer without text
 */
export async function readExternally(
  ctx: Pick<Context, "settings" | "outbound" | "now">,
  { filename, contentType, body }: ExternalDocument,
  signal: AbortSignal,
): Promise<ExternalText[]> {
  const { EXTERNAL_DOCUMENT_LOADER_URL: url, EXTERNAL_DOCUMENT_LOADER_API_KEY: key } = ctx.settings;
  const headers = new Headers({ "content-type": contentType, "x-filename": encodeURIComponent(filename) });
  if (key !== "") headers.set("authorization", `Bearer ${key}`);
  let response: Response;
  let text: string | undefined;
  try {
    const init: RequestInit & { duplex: "half" } = {
      method: "PUT",
      headers,
      body,
      signal,
      redirect: "manual",
      duplex: "half",
    };
    response = await ctx.outbound.trusted(`${url.replace(/\/+$/, "")}/process`, init);
    text = await readTextUpTo(response.body, response.ok ? maxAnswerBytes : maxErrorBytes);
  } catch (error) {
    if (signal.aborted) throw error;
    throw failure(networkFailure(error).message, { cause: error });
  }
  if (!response.ok) throw refusal(response, text ?? "", key, ctx.now());
  if (text === undefined) throw failure("its answer is too large", { final: true });
  const parsed = answerSchema.safeParse(tryParseJson(text));
  if (!parsed.success) throw failure("its answer has no page_content", { final: true });
  const texts = toTexts(parsed.data);
  if (texts.length === 0)
    throw new JobFailure("file_no_text", "The external reader found no text in it", { final: true });
  return texts;
}

function toTexts(parts: z.infer<typeof answerSchema>): ExternalText[] {
  // Some count from 0, others from 1: their order is what they agree on.
  const hasPages = parts.length > 1 && parts.every(({ metadata }) => metadata?.page !== undefined);
  return parts
    .map(({ page_content: content, metadata }, at) => ({
      text: content.replaceAll("\0", ""),
      page: hasPages ? at + 1 : null,
      label: metadata?.page_label ?? null,
    }))
    .filter(({ text }) => text.trim() !== "");
}

/** Why it refused, as it says itself if it does. */
function refusal(response: Response, text: string, key: string, now: number): JobFailure {
  const { status, headers } = response;
  const said = z
    .object({ detail: z.string() })
    .or(z.object({ message: z.string() }))
    .or(z.object({ error: z.string() }));
  const value = said.safeParse(tryParseJson(text));
  const words = value.success ? Object.values(value.data)[0] : undefined;
  const why = words ? redactSecrets(words, [key]).slice(0, 300) : `it returned status ${status}`;
  const isPassing = status >= 500 || status === 408 || status === 429;
  const seconds = retryAfterSeconds(headers.get("retry-after"), now);
  return failure(why, { final: !isPassing, ...(seconds !== undefined && { retryAfter: seconds }) });
}

function failure(what: string, options: ConstructorParameters<typeof JobFailure>[2]): JobFailure {
  return new JobFailure("reader_failed", `The external reader: ${what}`, options);
}
