import { inLanguage } from "../../../languages/app.ts";
import { locale } from "../../../lib/language.ts";

const number = new Intl.NumberFormat(locale);

/** Texts about a model that answers one message. */
export const texts = inLanguage("chat/turn-model", {
  title: "Answer this message with",
  label: "Models for this message",
  found: (n: number) => (n === 1 ? "1 model" : `${number.format(n)} models`),
  next: (name: string) => `${name} answers this message`,
  remove: (name: string) => `Don't ask ${name}`,
});
