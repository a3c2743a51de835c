import { inLanguage } from "../../../languages/app.ts";
import { locale } from "../../../lib/language.ts";

const count = new Intl.NumberFormat(locale);

/** Texts of cards in messages of webhooks. */
export const texts = inLanguage("channels/cards", {
  more: (n: number) => `and ${count.format(n)} more`,
  counted: (word: string, n: number) => `${word} (${count.format(n)})`,
  open: "Open",
  openOf: (text: string) => `Open: ${text}`,
  picture: "Picture",
  details: "Details",
  links: "Links",
  via: (name: string) => `via ${name}`,
  showPicture: (name: string, host: string) => `Show the picture of ${name} from ${host}`,
});
