import type { ReadImport } from "../../components/ImportExport.svelte";
import { nameOfEntry, readEntries } from "../../lib/read-import.ts";
import { saveFile } from "../../lib/save-file.ts";
import { exportPrompts, importPrompts } from "./prompts-api.ts";
import { texts } from "./texts.ts";

export async function savePrompts(): Promise<void> {
  saveFile(await exportPrompts(), "prompts.json");
}

/** @throws Error for a file without prompts */
export async function readPrompts(file: File): Promise<ReadImport> {
  const prompts = await readEntries(file, "prompts", texts.transfer);
  if (!prompts.every((prompt) => typeof prompt["command"] === "string" && typeof prompt["content"] === "string"))
    throw new Error(texts.transfer.none);
  return {
    names: prompts.map(nameOfEntry),
    async send() {
      const { created, changed } = await importPrompts(prompts);
      return texts.transfer.done(created, changed);
    },
  };
}
