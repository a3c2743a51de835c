import { inLanguage } from "../../languages/app.ts";
import { locale } from "../language.ts";
import type { FileState } from "./file-state.ts";

const count = new Intl.NumberFormat(locale);
const percent = new Intl.NumberFormat(locale, { style: "percent" });
const megabytes = new Intl.NumberFormat(locale, { style: "unit", unit: "megabyte" });

const sizes = (["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const).map(
  (unit) =>
    new Intl.NumberFormat(locale, {
      style: "unit",
      unit,
      maximumFractionDigits: 1,
      unitDisplay: unit === "byte" ? "long" : "short",
    }),
);

/** A size as people know it, such as 1.5 MB. */
export function describeSize(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(sizes.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return sizes[step]?.format(value < 10 ? value : Math.round(value)) ?? String(bytes);
}

/** Units that are counted one by one; how far a file of bytes is, is said in percent. */
const nouns = { pages: "page", slides: "slide", sheets: "sheet" };

/** Texts about uploads and files, wherever they are shown. */
export const fileTexts = inLanguage("lib/files", {
  tooLarge: (name: string, most: number) => `${name} is larger than the limit of ${megabytes.format(most)}.`,
  empty: (name: string) => `${name} is empty.`,
  ending: (name: string, endings: readonly string[]) =>
    `Files like ${name} can't be uploaded. Allowed types: ${new Intl.ListFormat(locale, { type: "disjunction" }).format(endings)}.`,
  folder: (name: string) => `${name} couldn't be read. Folders can't be attached. Choose the files in them.`,
  uploadWaiting: "Waiting to be uploaded",
  uploading: (part: number) => `Uploading, ${percent.format(Math.floor(part * 100) / 100)}`,
  arriving: "Uploaded, saving",
  uploadOffline: "No connection. Continues automatically.",
  uploadFailed: "Upload failed",
  stopped: "The upload was stopped.",
  /** What is being done with a file, or what became of it, in few words. */
  state(state: FileState): string {
    const { done, total, unit } = state;
    if (state.status === "stored") return "Not read";
    if (state.status === "completed") return "Ready";
    if (state.status === "failed") return state.error || "Couldn't be read";
    if (state.stage === "embedding")
      return total === undefined
        ? "Making it searchable"
        : `Making it searchable, ${count.format(done)} of ${count.format(total)} ${total === 1 ? "passage" : "passages"}`;
    if (state.stage !== "extracting") return "Waiting to be read";
    if (unit === "pages" || unit === "slides" || unit === "sheets") {
      const noun = nouns[unit];
      if (total !== undefined)
        return `Reading ${noun} ${count.format(Math.min(done + 1, total))} of ${count.format(total)}`;
      return done > 0 ? `Reading, ${count.format(done)} ${done === 1 ? noun : unit} so far` : "Reading";
    }
    return total === undefined ? "Reading" : `Reading, ${percent.format(Math.floor((done / total) * 100) / 100)}`;
  },
});
