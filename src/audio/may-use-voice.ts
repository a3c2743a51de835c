import { requirePermission, type User } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";

/**
 * Somebody whose words a connection may write down.
 * @throws AppError `forbidden`
 */
export function requireDictation(ctx: Context): User {
  const user = requirePermission(ctx, "chat.stt");
  if (!isDictationHere(ctx)) throw new AppError("forbidden", "Dictation by a connection is switched off");
  return user;
}

/**
 * Somebody to whom a connection may read aloud.
 * @throws AppError `forbidden`
 */
export function requireReading(ctx: Context): User {
  const user = requirePermission(ctx, "chat.tts");
  if (!isReadingHere(ctx)) throw new AppError("forbidden", "Reading aloud by a connection is switched off");
  return user;
}

/** Whether a connection writes down what people say. */
export function isDictationHere({ settings }: Pick<Context, "settings">): boolean {
  return settings.AUDIO_STT_ENGINE === "openai" && settings.AUDIO_STT_CONNECTION !== "";
}

/** Whether a connection reads aloud. */
export function isReadingHere({ settings }: Pick<Context, "settings">): boolean {
  return settings.AUDIO_TTS_ENGINE === "openai" && settings.AUDIO_TTS_CONNECTION !== "";
}

/** What clients are told: `web` is the browser's own, as in Open WebUI. */
export function voiceConfig(ctx: Pick<Context, "settings">) {
  const { AUDIO_STT_ENGINE: stt, AUDIO_TTS_ENGINE: tts, AUDIO_TTS_VOICE: voice } = ctx.settings;
  const shown = (engine: string, isHere: boolean): string => (engine === "off" ? "off" : isHere ? "openai" : "web");
  return {
    stt: { engine: shown(stt, isDictationHere(ctx)) },
    tts: { engine: shown(tts, isReadingHere(ctx)), voice, split_on: "punctuation" },
  };
}
