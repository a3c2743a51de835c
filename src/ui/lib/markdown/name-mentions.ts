import type { Mention } from "../../../shared/mentions.ts";
import { at } from "../base-path.ts";

export type MentionKind = Mention["kind"];

/** What is known of those that a text names. */
export interface MentionNames {
  /** What it is called now; undefined: what stands in the text. */
  nameOf(kind: MentionKind, id: string): string | undefined;
  /** Where a click leads; undefined: nowhere. */
  addressOf(kind: MentionKind, id: string): string | undefined;
  /** Whether it is the reader. */
  isSelf(kind: MentionKind, id: string): boolean;
}

const kinds: readonly string[] = ["user", "model", "channel"] satisfies MentionKind[];

/** Makes chips of the names in a text. Changes `content` in place; only what has passed `sanitize`. */
export function nameMentions(content: DocumentFragment, names: MentionNames): void {
  for (const element of content.querySelectorAll<HTMLElement>("[data-mention]")) {
    const { mention: kind, id } = element.dataset;
    if (kind !== undefined && kinds.includes(kind) && id !== undefined)
      element.replaceWith(chipOf(element, kind as MentionKind, id, names));
  }
}

function chipOf(element: HTMLElement, kind: MentionKind, id: string, names: MentionNames): HTMLElement {
  const address = names.addressOf(kind, id);
  const chip = document.createElement(address === undefined ? "span" : "a");
  if (chip instanceof HTMLAnchorElement && address !== undefined) chip.href = at(address);
  chip.className = names.isSelf(kind, id) ? "mention self" : "mention";
  chip.dir = "auto";
  const name = names.nameOf(kind, id);
  chip.textContent = name === undefined ? element.textContent : `${kind === "channel" ? "#" : "@"}${name}`;
  return chip;
}
