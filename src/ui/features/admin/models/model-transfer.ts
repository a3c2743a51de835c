import type { ReadImport } from "../../../components/ImportExport.svelte";
import { nameOfEntry, readEntries } from "../../../lib/read-import.ts";
import { saveFile } from "../../../lib/save-file.ts";
import { exportModels, importModels } from "./models.ts";
import { texts } from "./texts.ts";

/** Saves models as a file. @param id only this one */
export async function saveModels(id?: string): Promise<void> {
  saveFile(await exportModels(id), id === undefined ? "models.json" : `model-${id.replace(/[^\w.-]+/g, "-")}.json`);
}

/** @throws Error for a file without models */
export async function readModels(file: File): Promise<ReadImport> {
  const models = await readEntries(file, "models", texts.transfer);
  if (!models.every((model) => typeof model["id"] === "string" && typeof model["name"] === "string"))
    throw new Error(texts.transfer.none);
  return {
    names: models.map(nameOfEntry),
    async send() {
      await importModels(models);
      return texts.transfer.done(models.length);
    },
  };
}
