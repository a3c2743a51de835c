import { inLanguage } from "../../../languages/admin.ts";
import { locale } from "../../../lib/language.ts";

/** Texts of the page of pictures and voice. */
export const texts = inLanguage("admin/media", {
  title: "Pictures and voice",
  sub: "Which connections make pictures, write down what people say, and read answers aloud.",
  failed: "The settings couldn't be loaded",
  images: { title: "Pictures by models", sub: "The model gets the description, and the pictures to change." },
  audio: { title: "Voice", sub: "Each person can choose a voice and a speed under Settings, Voice." },
  engines: { "": "The browser of each person", openai: "A connection", off: "Nothing" } as Record<string, string>,
  none: "None",
  trial: {
    title: "Try it",
    sub: "Asks the model that is saved above. The picture becomes a file of yours.",
    prompt: "Description",
    standard: "A lighthouse at dusk, as a woodcut",
    test: "Make a picture",
    testing: "Making a picture. This can take a minute.",
    testStale: "The description has changed since the last picture.",
    testFailed: "No picture was made",
    made: (seconds: number) => `Made in ${number.format(seconds)} seconds.`,
    missing: "Enter a description.",
  },
});

const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
