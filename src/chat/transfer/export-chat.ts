import { requirePermission } from "../../access.ts";
import type { Context } from "../../context.ts";
import { getChat } from "../conversations/chats.ts";
import { withFolderPath } from "../conversations/list-chats.ts";
import { loadFolderPaths } from "../folders/folder-paths.ts";
import { renderMarkdown, renderText } from "./render-transcript.ts";
import type { ExportFormat } from "./schema.ts";

export interface ExportedFile {
  name: string;
  contentType: string;
  text: string;
}

/** Maximum length of a file name, without its extension. */
const maxNameLength = 80;

/**
 * One of the caller's chats as a file: the current branch to read, or the whole chat as JSON for the import.
 * @throws AppError `forbidden`; `not_found` for a chat that is unknown or not the caller's.
 */
export async function exportChat(ctx: Context, id: string, format: ExportFormat): Promise<ExportedFile> {
  requirePermission(ctx, "chat.export");
  const chat = await getChat(ctx, id);
  const name = fileName(chat.title);
  switch (format) {
    case "markdown":
      return { name: `${name}.md`, contentType: "text/markdown; charset=utf-8", text: renderMarkdown(chat) };
    case "text":
      return { name: `${name}.txt`, contentType: "text/plain; charset=utf-8", text: renderText(chat) };
    case "json": {
      const paths = chat.folder_id === null ? undefined : await loadFolderPaths(ctx);
      const text = JSON.stringify([withFolderPath(chat, paths)]);
      return { name: `${name}.json`, contentType: "application/json", text };
    }
  }
}

/** The title as a file name that is valid on every system. */
function fileName(title: string): string {
  const plain = title
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\\/:*?"<>|]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const name = [...plain]
    .slice(0, maxNameLength)
    .join("")
    .replace(/^\.+|[. ]+$/g, "");
  return name === "" ? "chat" : name;
}
