import * as z from "zod";
import type { Definition } from "../settings/definition.ts";

/** Who does it: the browser itself, a connection, or nobody. `openai` as in Open WebUI. */
export const voiceEngines = ["", "openai", "off"] as const;

const text = (title: string, standard: string, description: string) =>
  ({
    schema: z.string().max(256),
    default: standard,
    where: "anywhere",
    section: "audio",
    type: "text",
    title,
    description,
  }) as const;
const engine = (title: string, description: string) =>
  ({
    schema: z.enum(voiceEngines),
    default: "",
    where: "anywhere",
    section: "audio",
    type: "choice",
    options: voiceEngines,
    title,
    description,
  }) as const;

/** Settings of dictation and of reading aloud. Names are Open WebUI's where it has them. */
export const audioSettings = {
  AUDIO_STT_ENGINE: engine(
    "Dictation",
    "What writes down what people say: each person's browser, which may send it to its maker, a connection, or nothing.",
  ),
  AUDIO_STT_CONNECTION: text("Connection for dictation", "", "A connection that has OpenAI's /audio/transcriptions."),
  AUDIO_STT_MODEL: text("Model for dictation", "whisper-1", "As the provider calls it."),
  AUDIO_STT_MAX_SIZE: {
    schema: z.number().int().min(1).max(200),
    default: 25,
    where: "anywhere",
    section: "audio",
    type: "number",
    title: "Longest recording (MB)",
    description: "Larger recordings are rejected while they arrive.",
  },
  AUDIO_TTS_ENGINE: engine(
    "Reading aloud",
    "What reads answers aloud: each person's browser, a connection, or nothing.",
  ),
  AUDIO_TTS_CONNECTION: text("Connection for reading aloud", "", "A connection that has OpenAI's /audio/speech."),
  AUDIO_TTS_MODEL: text("Model for reading aloud", "tts-1", "As the provider calls it."),
  AUDIO_TTS_VOICE: text("Voice", "alloy", "The voice for people who have chosen none."),
  AUDIO_TTS_VOICES: {
    schema: z.array(z.string().min(1).max(100)).max(200),
    default: ["alloy", "ash", "coral", "echo", "fable", "nova", "onyx", "sage", "shimmer"],
    where: "anywhere",
    section: "audio",
    type: "list",
    separator: ",",
    title: "Voices",
    description: "The voices that people can choose from, as the provider calls them.",
  },
} as const satisfies Record<string, Definition>;
