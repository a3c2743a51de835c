import type { ImportResult } from "../../../../plugins/schema.ts";
import { api } from "../../../lib/api.ts";
import type { Family } from "./plugins-api.ts";
import { texts } from "./texts.ts";

/**
 * Stores the plugins of an exported file, of this service or of Open WebUI, with what they were set to; what fails does not
 * keep the others out.
 * @throws Error in words for people, ApiError
 */
export async function importPlugins(family: Family, text: string): Promise<ImportResult> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error(texts.importNotList);
  }
  // A file may hold one plugin alone.
  const isBare = typeof parsed === "object" && parsed !== null && "content" in parsed;
  return api<ImportResult>("POST", `/api/v1/${family}s/import`, { body: isBare ? [parsed] : parsed, timeout: 300_000 });
}
