import type { Attachment } from "svelte/attachments";

/** The answer whose code gets tools. */
export interface CodeScope {
  messageId: string;
  text: string;
  running: boolean;
  /** Ids of the chat's files, which code may read. */
  fileIds(): readonly string[];
}

/**
 * Puts tools below the code of an answer: previews, and what else code is good for. Loaded with the first block of code; the
 * answers without any cost nothing.
 */
export function codeTools(scope: () => CodeScope): Attachment<HTMLElement> {
  return (element) => {
    let dress: (() => void) | undefined;
    let isLoading = false;
    let isGone = false;
    let end: (() => void) | undefined;
    const look = (): void => {
      if (dress) dress();
      else if (!isLoading && element.querySelector(".code")) {
        isLoading = true;
        void import("./dress-code.ts").then(
          ({ dressCode }) => {
            if (isGone) return;
            ({ dress, end } = dressCode(element, scope));
            dress();
          },
          () => (isLoading = false),
        );
      }
    };
    const observer = new MutationObserver(look);
    observer.observe(element, { childList: true, subtree: true });
    // The last block is complete when the answer is.
    $effect(() => {
      if (!scope().running) look();
    });
    return () => {
      isGone = true;
      observer.disconnect();
      end?.();
    };
  };
}
