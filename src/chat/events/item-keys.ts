import type { ItemKind } from "./chat-event.ts";

/** Under which key of a message clients find its things, as at the peer. */
export const itemKeys: Readonly<Record<ItemKind, string>> = {
  status: "statusHistory",
  source: "sources",
  file: "files",
  embed: "embeds",
  tool: "output",
};

/** A thing of a message as its row has it. */
export interface MessageItem {
  kind: ItemKind;
  data: Record<string, unknown>;
}

/**
 * What clients read beside a message's text: what they stored with it themselves, then what events have added.
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
