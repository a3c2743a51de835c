import { isRecord, tryParseJson } from "../../lib/json.ts";

/**
 * The entries of stored `files` lists, without pictures: those are in the messages themselves.
 * @param lists JSON, or null if there is none
 */
export function attachedFiles(lists: readonly (string | null)[]): Record<string, unknown>[] {
  return lists.flatMap((json) => {
    const list = json === null ? undefined : tryParseJson(json);
    if (!Array.isArray(list)) return [];
    return (list as unknown[]).filter(isRecord).filter((file) => file["type"] !== "image");
  });
}
