import type { Context } from "../context.ts";
import { cleanName } from "../documents/files/clean-name.ts";
import { AppError } from "../errors.ts";
import { drain } from "../http/body.ts";
import { boundaryOf, readFormParts, type FormPart } from "../http/form-parts.ts";
import { readTextUpTo } from "../http/read-up-to.ts";
import { isRecord, tryParseJson } from "../lib/json.ts";
import { utf8Text } from "../lib/utf8.ts";
import { callMedia } from "../models/media/call-media.ts";
import { mediaConnection } from "../models/media/media-connection.ts";
import { requireQuota } from "../usage/quotas/require-quota.ts";
import { readUsage } from "../usage/read-usage.ts";
import { recordUse } from "../usage/record-use.ts";
import { formStream } from "./form-stream.ts";
import { requireDictation } from "./may-use-voice.ts";

/** Bytes of a field beside the file, and of an answer. */
const maxFieldBytes = 1000;
const maxAnswerBytes = 2_000_000;
/** Milliseconds until the last byte of the answer. */
const timeoutMs = 300_000;
/** What browsers and phones record. */
const recorded = /^(?:audio\/[\w.+-]+|video\/(?:webm|mp4|ogg)|application\/(?:ogg|octet-stream))$/;

/**
 * Writes down a recording (form part `file`, and `language` before it), which goes to the provider while it arrives and is
 * kept nowhere.
 * @throws AppError `forbidden`, `quota_exceeded`, `bad_request` for an unreadable form or what the provider refuses,
 *   `unsupported_media_type`, `payload_too_large`, and what `callMedia` throws
 */
export async function transcribe(ctx: Context, request: Request): Promise<{ text: string }> {
  requireDictation(ctx);
  const reader = request.body?.getReader();
  const boundary = boundaryOf(request.headers.get("content-type") ?? "");
  if (!reader || boundary === undefined)
    throw new AppError("bad_request", "Expected a form (multipart/form-data) with a part named file");
  try {
    let language = new URL(request.url).searchParams.get("language") ?? "";
    for await (const part of readFormParts(reader, boundary)) {
      if (part.name === "language") language = await readField(part.body);
      else if (part.name === "file") return await ask(ctx, part, language, request.signal);
    }
    throw new AppError("bad_request", "The form has no part named file", { param: "file" });
  } catch (error) {
    // The rest is read so that the sender receives the error.
    if (error instanceof AppError && !request.headers.has("expect")) await drain(reader);
    throw error;
  }
}

async function ask(
  ctx: Context,
  { filename, contentType, body }: FormPart,
  language: string,
  signal: AbortSignal,
): Promise<{ text: string }> {
  const type = contentType.split(";")[0]!.trim();
  if (!recorded.test(type)) throw new AppError("unsupported_media_type", "Only recordings can be written down");
  const connection = await mediaConnection(ctx, ctx.settings.AUDIO_STT_CONNECTION, "dictation");
  const model = { id: ctx.settings.AUDIO_STT_MODEL };
  await requireQuota(ctx, model);
  const startedAt = Date.now();
  const note = (use: Pick<Parameters<typeof recordUse>[1], "state" | "code" | "usage">) =>
    recordUse(ctx, { api: "audio", model, connectionId: connection.id, startedAt, ...use });
  const refusal: { error?: AppError } = {};
  const fields = {
    model: model.id,
    response_format: "json",
    ...(/^[a-z]{2,3}$/i.test(language) ? { language: language.toLowerCase() } : {}),
  };
  const bytes = limited(body, ctx.settings.AUDIO_STT_MAX_SIZE, refusal);
  const form = formStream(fields, { name: cleanName(filename ?? "recording"), contentType: type, bytes });
  const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await callMedia(ctx, connection, {
      path: "/audio/transcriptions",
      model: model.id,
      headers: { "content-type": form.contentType },
      body: () => form.body,
      signal: until,
    });
    const said = (await readTextUpTo(response.body, maxAnswerBytes)) ?? "";
    const answer = tryParseJson(said);
    const text = isRecord(answer) ? answer["text"] : undefined;
    if (typeof text !== "string") throw new AppError("upstream_invalid_answer", "The provider answered without a text");
    note({ state: "done", usage: readUsage(answer) });
    return { text: text.trim().toWellFormed() };
  } catch (thrown) {
    const error = refusal.error ?? thrown;
    if (signal.aborted) note({ state: "stopped", usage: undefined });
    else note({ state: "error", code: error instanceof AppError ? error.code : "internal_error", usage: undefined });
    throw error;
  }
}

/** The bytes as long as there are not too many; what was wrong stands in `refusal`, as streams hide it. */
async function* limited(
  body: AsyncIterable<Uint8Array>,
  megabytes: number,
  refusal: { error?: AppError },
): AsyncGenerator<Uint8Array, undefined> {
  let length = 0;
  try {
    for await (const piece of body) {
      length += piece.length;
      if (length > megabytes * 1024 * 1024)
        throw new AppError("payload_too_large", `Recordings can have at most ${megabytes} MB`);
      yield piece;
    }
    if (length === 0) throw new AppError("bad_request", "The recording is empty", { param: "file" });
  } catch (error) {
    if (error instanceof AppError) refusal.error = error;
    throw error;
  }
}

async function readField(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > maxFieldBytes) throw new AppError("bad_request", "language: too long", { param: "language" });
    pieces.push(piece.slice());
  }
  return utf8Text(Buffer.concat(pieces)).trim();
}
