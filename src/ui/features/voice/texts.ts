import { inLanguage } from "../../languages/app.ts";
import { locale } from "../../lib/language.ts";

/** Texts of dictation and reading aloud. */
export const texts = inLanguage("voice", {
  dictate: "Dictate",
  recording: "Recording",
  level: "Loudness",
  listening: "Listening",
  writing: "Writing down what you said",
  done: "Done",
  cancel: "Cancel",
  noMicrophone: "The microphone couldn't be used. Allow it for this page in your browser.",
  noSpeech: "Nothing was heard. Try again.",
  unsupported: "This browser can't write down speech. An administrator can choose a model for it.",
  failed: "What you said couldn't be written down",
  tooLong: "Recordings can have at most 10 minutes.",
  read: "Read aloud",
  stop: "Stop reading",
  readFailed: "The answer couldn't be read aloud",
  noVoice: "This browser has no voice to read with. An administrator can choose a model for it.",
  settings: {
    title: "Voice",
    sub: "How you dictate, and how answers are read to you. Kept with your account.",
    failed: "Your choice couldn't be loaded",
    notStored: "Your choice couldn't be saved",
    dictation: "Dictation",
    reading: "Reading aloud",
    engines: { "": "As the administrator set it", web: "This browser", openai: "A model" } as Record<string, string>,
    voice: "Voice",
    standardVoice: "The usual one",
    speed: "Speed",
    speeds: (speed: number) => `${number.format(speed)}×`,
    off: "Voice is switched off for you or for everyone.",
    sample: "Listen",
    sampleText: "This is how answers sound.",
  },
});

const number = new Intl.NumberFormat(locale);
