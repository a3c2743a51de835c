import { textOf } from "../read-values.ts";
import type { RowSource } from "../row-source.ts";

/**
 * What tells one Open WebUI from another, the same in every copy and version of its database: its first account.
 * @returns undefined for a database that is not Open WebUI's, or has no account
 */
export async function openWebuiFingerprint(source: RowSource): Promise<string | undefined> {
  const columns = await source.columns("user");
  if (!columns.has("created_at") || (await source.columns("chat")).size === 0) return undefined;
  for await (const row of source.rows("user", "created_at")) {
    const id = textOf(row, "id");
    if (id !== undefined) return `open-webui:${id}`;
  }
  return undefined;
}
