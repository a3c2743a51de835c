/** The title of an untitled chat, as Open WebUI's clients expect it. */
export const untitled = "New Chat";

/** Maximum length of a generated title. */
const maxLength = 60;

/** A title from the beginning of a text: one line, cut between words; `untitled` if there are no words. */
export function firstWords(text: string): string {
  const line = text
    .slice(0, 1000)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .replace(/^[#>*\-\s]+/, "")
    .trim();
  if (line === "") return untitled;
  const characters = [...line];
  if (characters.length <= maxLength) return line;
  const cut = characters.slice(0, maxLength - 1).join("");
  const blank = cut.lastIndexOf(" ");
  return `${(blank > maxLength / 2 ? cut.slice(0, blank) : cut).trimEnd()}…`;
}

/** Whether a client's title only means that there is none. */
export function isUntitled(title: string): boolean {
  return title.trim() === "" || title.trim().toLowerCase() === untitled.toLowerCase();
}
