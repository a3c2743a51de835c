import * as z from "zod";

/** Longest text that is read at once, UTF-16 units: providers refuse longer ones. */
export const maxSpoken = 4096;

/** `POST /api/v1/audio/speech`, as in OpenAI's API and in Open WebUI. The model is the one of the settings. */
export const speechRequest = z.looseObject({
  input: z.string().trim().min(1).max(maxSpoken),
  voice: z.string().min(1).max(100).nullish(),
  speed: z.number().min(0.25).max(4).nullish(),
  response_format: z.enum(["mp3", "opus", "aac", "flac", "wav", "pcm"]).nullish(),
});
export type SpeechRequest = z.infer<typeof speechRequest>;

export const transcript = z.object({ text: z.string() });
export const voiceList = z.object({ voices: z.array(z.object({ id: z.string(), name: z.string() })) });
export const audioModels = z.object({ models: z.array(z.object({ id: z.string(), name: z.string() })) });
