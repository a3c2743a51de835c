import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { callMedia } from "../models/media/call-media.ts";
import { mediaConnection } from "../models/media/media-connection.ts";
import { estimateText } from "../usage/estimate-tokens.ts";
import { requireQuota } from "../usage/quotas/require-quota.ts";
import { recordUse } from "../usage/record-use.ts";
import { requireReading } from "./may-use-voice.ts";
import type { SpeechRequest } from "./schema.ts";

/** Bytes of the longest text as uncompressed sound, and milliseconds until the last of them. */
const maxBytes = 60_000_000;
const timeoutMs = 300_000;

/**
 * A text as speech, handed on as it arrives.
 * @param signal of the request
 * @throws AppError `forbidden`, `quota_exceeded`, `upstream_invalid_answer` for what is no sound, and what `callMedia` throws
 */
export async function speak(
  ctx: Context,
  { input, voice, speed, response_format: format }: SpeechRequest,
  signal: AbortSignal,
): Promise<{ contentType: string; body: ReadableStream<Uint8Array> }> {
  requireReading(ctx);
  const connection = await mediaConnection(ctx, ctx.settings.AUDIO_TTS_CONNECTION, "reading aloud");
  const model = { id: ctx.settings.AUDIO_TTS_MODEL };
  await requireQuota(ctx, model);
  const startedAt = Date.now();
  const text = input.toWellFormed();
  const tokens = estimateText(text);
  const usage = { input: tokens, cached: 0, cacheWrite: 0, output: 0, reasoning: 0, total: tokens, isEstimated: true };
  const note = (use: Pick<Parameters<typeof recordUse>[1], "state" | "code">) =>
    recordUse(ctx, { api: "audio", model, connectionId: connection.id, startedAt, usage, ...use });
  const body = JSON.stringify({
    model: model.id,
    input: text,
    voice: chosenVoice(ctx, voice),
    response_format: format ?? "mp3",
    ...(speed ? { speed } : {}),
  });
  try {
    const response = await callMedia(ctx, connection, {
      path: "/audio/speech",
      model: model.id,
      headers: { "content-type": "application/json", accept: "audio/*" },
      body: () => body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const type = (response.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
    if (!response.body || !/^(?:audio\/[\w.+-]+|application\/octet-stream)$/.test(type)) {
      await response.body?.cancel();
      throw new AppError("upstream_invalid_answer", "The provider answered with something that is not sound");
    }
    note({ state: "done" });
    return {
      contentType: type.startsWith("audio/") ? type : "audio/mpeg",
      body: bounded(response.body as ReadableStream<Uint8Array>),
    };
  } catch (error) {
    if (signal.aborted) note({ state: "stopped" });
    else note({ state: "error", code: error instanceof AppError ? error.code : "internal_error" });
    throw error;
  }
}

/** One that people can choose; the usual one for all others, as voices come and go. */
function chosenVoice({ settings }: Pick<Context, "settings">, wanted: string | null | undefined): string {
  const isOffered = wanted && (settings.AUDIO_TTS_VOICES as readonly string[]).includes(wanted);
  return isOffered ? wanted : settings.AUDIO_TTS_VOICE;
}

/** Breaks off what does not end. */
function bounded(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let length = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        length += piece.length;
        if (length > maxBytes) controller.error(new AppError("upstream_invalid_answer", "The sound does not end"));
        else controller.enqueue(piece);
      },
    }),
  );
}
