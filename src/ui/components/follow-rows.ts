import type { Attachment } from "svelte/attachments";

/** What a row leads to: the first link of its first cell, or the button there that opens it. The same is in the style of `Table`. */
const lead = ":scope > td:first-child:not([colspan]) :is(a[href], button[aria-expanded])";
/** What does something of its own when it is pressed. */
const own = "a, button, input, select, textarea, label, [popover], dialog";

/** For the body of a table: a press anywhere in a row does what its name does. For the pointer only: by keyboard the name is there. */
export const followRows: Attachment<HTMLElement> = (body) => {
  const follow = (event: MouseEvent): void => {
    const { target } = event;
    if (event.defaultPrevented || event.button !== 0 || !(target instanceof Element) || target.closest(own)) return;
    const row = target.closest("tr");
    // A table inside a row follows its own; words that are being selected stay.
    if (row?.parentElement !== body || getSelection()?.isCollapsed === false) return;
    const { ctrlKey, metaKey, shiftKey } = event;
    row
      .querySelector(lead)
      ?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
  };
  body.addEventListener("click", follow);
  return () => body.removeEventListener("click", follow);
};
