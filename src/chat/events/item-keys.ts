import type { ItemKind } from "./chat-event.ts";

/** The key of a message under which clients find its items, as in Open WebUI. */
export const itemKeys: Readonly<Record<ItemKind, string>> = {
  status: "statusHistory",
  source: "sources",
  file: "files",
  embed: "embeds",
  tool: "output",
};

/** A stored item of a message. */
export interface MessageItem {
  kind: ItemKind;
  data: Record<string, unknown>;
}

/**
 * What clients read of a message beside its text: what they stored themselves, then what events have added.
 * @param items in their order
 */
export function readItems(
  extra: Readonly<Record<string, unknown>>,
  items: readonly MessageItem[],
): Record<string, unknown[]> {
  const lists: Record<string, unknown[]> = {};
  for (const { kind, data } of items) {
    const key = itemKeys[kind];
    const own = extra[key];
    lists[key] ??= Array.isArray(own) ? [...(own as unknown[])] : [];
    lists[key].push(kind === "embed" ? data["embed"] : data);
  }
  return lists;
}
