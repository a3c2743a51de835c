import { untrack } from "svelte";
import { type Resource, resource } from "../../../lib/resource.svelte.ts";
import { models } from "../models.svelte.ts";
import type { OpenChat } from "../open-chat.svelte.ts";
import { type FolderView, foldersApi } from "./folders-api.ts";

/** The folder that a new chat will be in, of which it takes the models. For a component. */
export function newChatFolder(
  chat: Pick<OpenChat, "folderId">,
  idOf: () => string | undefined,
): Resource<FolderView | undefined> {
  const folder = resource(async (signal) => {
    const id = idOf();
    return id === undefined ? undefined : foldersApi.get(id, signal);
  });
  $effect(() => {
    chat.folderId = idOf();
  });
  $effect(() => {
    const ids = folder.data !== undefined && folder.data.id === idOf() ? folder.data.model_ids : [];
    if (ids.length > 0) untrack(() => models.compare(ids));
  });
  return folder;
}

/** The query of an address without what is only for new chats. */
export function withoutFolder(search: URLSearchParams): string {
  const rest = new URLSearchParams(search);
  rest.delete("folder");
  return rest.size > 0 ? `?${rest.toString()}` : "";
}
