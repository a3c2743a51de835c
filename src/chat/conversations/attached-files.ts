import { isRecord, tryParseJson } from "../../lib/json.ts";

/**
 * The entries of lists of `files` as they are stored, pictures left out: those stand in the messages themselves.
 * @param lists JSON, or null where there is none
 */
export function attachedFiles(lists: readonly (string | null)[]): Record<string, unknown>[] {
  return lists.flatMap((json) => {
    const list = json === null ? undefined : tryParseJson(json);
    if (!Array.isArray(list)) return [];
    return (list as unknown[]).filter(isRecord).filter((file) => file["type"] !== "image");
  });
}
