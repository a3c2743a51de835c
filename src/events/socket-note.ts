import type { HeldCredential } from "../access.ts";

/** What changes with the person's rights. */
export interface SocketRights {
  /** The organization whose channel events the person receives: null for none, undefined if not known now. */
  hears: string | null | undefined;
  /** Whether the account waits for approval. */
  isPending: boolean;
}

/** The data stored with a socket, which survives hibernation. */
export interface SocketNote extends SocketRights {
  id: string;
  /** What the socket was opened with. */
  credential: HeldCredential;
  /** Epoch milliseconds. */
  openedAt: number;
  /** Epoch seconds; 0 while the tab is hidden. */
  visibleUntil: number;
  /** Whether the tab has said hello and so gets events. */
  greeted: boolean;
  /** Where the numbering stood; null while it moves too fast to be noted: answers are being written, or much is said in channels. */
  position: { epoch: string; seq: number } | null;
}
