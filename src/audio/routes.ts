import type { Context as HonoContext } from "hono";
import * as z from "zod";
import { hasPermission, requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { answers, jsonBody } from "../http/json-route.ts";
import { type AppEnvironment, contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { isReadingHere, requireDictation, requireReading } from "./may-use-voice.ts";
import { audioModels, speechRequest, transcript, voiceList } from "./schema.ts";
import { speak } from "./speak.ts";
import { transcribe } from "./transcribe.ts";

const failures = {
  400: { description: "The provider refused, in its words" },
  429: { description: "A quota is used up, or the provider is busy" },
  502: { description: "The provider failed" },
};
/** The second ones are for SDKs whose base address ends in `/api`. */
const transcriptions = ["/api/v1/audio/transcriptions", "/api/audio/transcriptions"] as const;
const speeches = ["/api/v1/audio/speech", "/api/audio/speech"] as const;

const transcription = {
  method: "post",
  requires: requireDictation,
  rate: "models",
  readsBody: true,
  siblings: transcriptions,
  summary: "Write down a recording, in OpenAI's form: part file, and language before it",
  request: {
    body: {
      content: {
        "multipart/form-data": { schema: z.object({ language: z.string().optional(), file: z.string() }) },
      },
      required: true,
    },
  },
  responses: {
    ...answers("The text", transcript),
    ...failures,
    413: { description: "The recording is too large" },
    415: { description: "Not a recording" },
  },
} as const;

const speechAnswers = {
  200: { description: "The sound", content: { "audio/mpeg": { schema: z.string() } } },
  ...failures,
};
const speech = {
  method: "post",
  requires: requireReading,
  rate: "models",
  siblings: speeches,
  summary: "Read a text aloud, in OpenAI's form",
  request: jsonBody(speechRequest),
  responses: speechAnswers,
} as const;
const [firstSpeech, secondSpeech] = speeches.map((path) => defineRoute({ ...speech, path })) as [
  ReturnType<typeof defineRoute<string, typeof speech & { path: string }>>,
  ReturnType<typeof defineRoute<string, typeof speech & { path: string }>>,
];

const voices = defineRoute({
  method: "get",
  path: "/api/v1/audio/voices",
  summary: "The voices that people can choose from",
  responses: answers("The voices; none where the browser reads aloud", voiceList),
});
const models = defineRoute({
  method: "get",
  path: "/api/v1/audio/models",
  summary: "The model that reads aloud",
  responses: answers("The model; none where the browser reads aloud", audioModels),
});

export function audioRoutes() {
  const router = createRouter();
  const write = async (c: HonoContext<AppEnvironment>) => c.json(await transcribe(contextOf(c), c.req.raw), 200);
  for (const path of transcriptions) router.raw({ ...transcription, path }, write);
  for (const route of [firstSpeech, secondSpeech])
    router.openapi(route, async (c) => {
      const { contentType, body } = await speak(contextOf(c), c.req.valid("json"), c.req.raw.signal);
      return c.body(body, 200, {
        "content-type": contentType,
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
      }) as never;
    });
  router.openapi(voices, (c) => c.json({ voices: listVoices(contextOf(c)) }, 200));
  router.openapi(models, (c) => {
    const ctx = contextOf(c);
    const { AUDIO_TTS_MODEL: id } = ctx.settings;
    return c.json({ models: mayListen(ctx) ? [{ id, name: id }] : [] }, 200);
  });
  return router;
}

function mayListen(ctx: Context): boolean {
  if (!hasPermission(requireUser(ctx), "chat.tts"))
    throw new AppError("forbidden", "You may not have texts read aloud");
  return isReadingHere(ctx);
}

function listVoices(ctx: Context): { id: string; name: string }[] {
  return mayListen(ctx) ? ctx.settings.AUDIO_TTS_VOICES.map((id) => ({ id, name: id })) : [];
}
