import type { Snippet } from "svelte";

/** What the page puts beside the column: details, sources, a file. It stands in the page's address, so that Back closes it. */
export interface Panel {
  title: string;
  body: Snippet;
  onclose: () => void;
  /** It holds pages of documents, which need more room than words. */
  wide?: boolean;
}

/** Where this browser remembers that the rail is hidden. */
const railKey = "parley.rail";

/** The parts of the frame that pages may move: the rail, which is a drawer on phones, and the panel. */
class Shell {
  drawer = $state(false);
  /** The person has hidden the rail; on phones it always is. */
  railHidden = $state(readRail());
  panel = $state.raw<Panel | undefined>(undefined);
  /** The palette and the list of keys are loaded when first opened. */
  palette = $state(false);
  keys = $state(false);
  title = $state("");
  /** Events come over plain HTTP, because no sockets get through. */
  socketsBlocked = $state(false);
  /** How many questions wait that the person does not see: the tab's title and the menu button show it. */
  waiting = $state(0);
  /** In how many channels somebody has named the person, or written to them directly, unread: the tab's title shows it. */
  calls = $state(0);
  /** Id of the chat in view. */
  chat = $state<string | undefined>(undefined);
}

export const shell = new Shell();

/** Shows or hides the rail, here and in later visits. */
export function toggleRail(): void {
  shell.railHidden = !shell.railHidden;
  try {
    if (shell.railHidden) localStorage.setItem(railKey, "hidden");
    else localStorage.removeItem(railKey);
  } catch {
    // Without storage it holds for this visit.
  }
}

function readRail(): boolean {
  try {
    return localStorage.getItem(railKey) === "hidden";
  } catch {
    return false;
  }
}

/** Names the page: in the tab, and for screen readers when the page has changed. Call while a page is set up. */
export function pageTitle(title: () => string): void {
  $effect(() => {
    shell.title = title();
  });
}

/** Shows a panel beside the column as long as `panel()` returns one. Call while a page is set up. */
export function sidePanel(panel: () => Panel | undefined): void {
  $effect(() => {
    shell.panel = panel();
    return () => {
      shell.panel = undefined;
    };
  });
}
