/** Texts of notifications that the browser shows. */
export const installedTexts = {
  answered: "Your answer is finished",
  question: "A question waits for you",
  mentioned: (name: string) => `${name} mentioned you`,
};
