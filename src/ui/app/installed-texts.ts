import { inLanguage } from "../languages/app.ts";

/** Texts of notifications that the browser shows. */
export const installedTexts = inLanguage("app/installed", {
  answered: "Your answer is finished",
  question: "A question waits for you",
  mentioned: (name: string) => `${name} mentioned you`,
});
