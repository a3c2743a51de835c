import { type StatusText, statusWords } from "../../../../shared/status-words.ts";
import { inLanguage } from "../../../languages/app.ts";
import { isRecord, textField } from "../../../lib/live/live-state.ts";

export const texts = inLanguage("chat/status", statusWords);

/** What a status says: in the language of the page where the service names its text, else as it came. Plugins may send anything. */
export function sayStatus(status: unknown): string {
  const words: unknown = isRecord(status) ? status["words"] : undefined;
  try {
    if (Array.isArray(words) && Object.hasOwn(texts, String(words[0]))) {
      const [id, ...values] = words as unknown as StatusText;
      const said: unknown = (texts[id] as (...values: unknown[]) => unknown)(...values);
      if (typeof said === "string") return said;
    }
  } catch {
    // Values of another form: it is said in English too.
  }
  return textField(status, "description");
}
