import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "Anweisungen",
  sub: "Was Modelle über Sie wissen und wie sie antworten sollen, in allen Ihren Chats.",
  card: "Ihre Anweisungen",
  label: "Anweisungen",
  placeholder: "Ich arbeite im Hafenamt. Antworte kurz, und verwende metrische Einheiten.",
  hint: "Sie kommen nach den Anweisungen des Modells und vor denen eines Ordners und des Chats. Für einen Chat können Sie sie in dessen Parametern ausschalten.",
  failed: "Ihre Anweisungen konnten nicht geladen werden",
  notSaved: "Ihre Anweisungen konnten nicht gespeichert werden",
  saved: "Ihre Anweisungen wurden gespeichert.",
  notAllowed: "Ihr Konto darf keine Anweisungen festlegen. Ein Administrator kann es erlauben.",
} satisfies AppTexts["settings/instructions"];
