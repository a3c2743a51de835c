import { inLanguage } from "../../../languages/app.ts";

/** Texts of the page of a person's instructions. */
export const texts = inLanguage("settings/instructions", {
  title: "Instructions",
  sub: "What models should know about you, and how they should answer, in all of your chats.",
  card: "Your instructions",
  label: "Instructions",
  placeholder: "I work at the harbour office. Answer briefly, and use metric units.",
  hint: "They come after the instructions of the model, and before those of a folder and of the chat. You can switch them off for a chat in its parameters.",
  failed: "Your instructions couldn't be loaded",
  notSaved: "Your instructions couldn't be saved",
  saved: "Your instructions were saved.",
  notAllowed: "Your account isn't allowed to set instructions. An administrator can allow it.",
});
