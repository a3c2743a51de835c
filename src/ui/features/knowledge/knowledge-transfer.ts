import type { ImportedKnowledge } from "../../../documents/knowledge/schema.ts";
import type { ReadImport } from "../../components/ImportExport.svelte";
import { at } from "../../lib/base-path.ts";
import { sendBody } from "../../lib/files/send-body.ts";
import { saveFrom } from "../../lib/save-file.ts";
import { texts } from "./texts.ts";

const base = "/api/v1/knowledge";

/** Downloads the original files of a base. */
export function saveKnowledge(id: string): void {
  saveFrom(at(`${base}/${encodeURIComponent(id)}/export`));
}

/** @throws Error for what is no zip file */
export async function readKnowledge(file: File): Promise<ReadImport> {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  // "PK", as all zip files begin.
  if (start[0] !== 0x50 || start[1] !== 0x4b) throw new Error(texts.transfer.notZip);
  const name =
    file.name
      .replace(/\.zip$/i, "")
      .trim()
      .slice(0, 200) || texts.transfer.name;
  return {
    names: [name],
    async send() {
      const path = `${base}/import?${new URLSearchParams({ name }).toString()}`;
      const made = await sendBody<ImportedKnowledge>("POST", path, file);
      return texts.transfer.done(name, made.imported, made.duplicates);
    },
  };
}
