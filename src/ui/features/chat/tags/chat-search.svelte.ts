import { shell } from "../../../lib/shell.svelte.ts";

/** The search in place of the list of chats: whether it is open, and the tag that it is limited to. One for the app. */
class ChatSearchState {
  open = $state(false);
  tag = $state<string | undefined>(undefined);
  /** Grows each time somebody opens a message that was found, also the one that they have opened already. */
  opened = $state(0);

  /** Shows the chats with a tag; on a phone, in the drawer. */
  show(tag: string): void {
    this.tag = tag;
    this.open = true;
    if (matchMedia("(max-width: 700px)").matches) shell.drawer = true;
  }

  close(): void {
    this.open = false;
    this.tag = undefined;
  }
}

export const chatSearch = new ChatSearchState();
