import type { Attachment } from "svelte/attachments";

let bubble: HTMLElement | undefined;

/**
 * Shows a short text beside a control on hover and on keyboard focus; Escape hides it (WCAG 2.1, 1.4.13). The text is
 * for the eye only: the control carries its name for screen readers itself.
 */
export function tip(text: string): Attachment<HTMLElement> {
  return (control) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = (): void => {
      clearTimeout(timer);
      if (bubble?.matches(":popover-open")) bubble.hidePopover();
    };
    const later = (event: PointerEvent): void => {
      if (event.pointerType === "touch") return;
      timer = setTimeout(() => show(control, text), 400);
    };
    const onFocus = (): void => {
      if (!control.matches(":focus-visible")) return;
      // A menu that opens or closes moves the focus in the middle of it, when nothing else may be shown.
      clearTimeout(timer);
      timer = setTimeout(() => show(control, text));
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Escape") hide();
    };
    control.addEventListener("pointerenter", later);
    control.addEventListener("pointerleave", hide);
    control.addEventListener("pointerdown", hide);
    control.addEventListener("focus", onFocus);
    control.addEventListener("blur", hide);
    control.addEventListener("keydown", onKey);
    return () => {
      hide();
      control.removeEventListener("pointerenter", later);
      control.removeEventListener("pointerleave", hide);
      control.removeEventListener("pointerdown", hide);
      control.removeEventListener("focus", onFocus);
      control.removeEventListener("blur", hide);
      control.removeEventListener("keydown", onKey);
    };
  };
}

function show(control: HTMLElement, text: string): void {
  if (!bubble) {
    bubble = document.createElement("div");
    bubble.className = "tip";
    bubble.popover = "manual";
    bubble.ariaHidden = "true";
  }
  // Inside an open modal dialog only its own descendants are painted above it.
  const home = control.closest("dialog") ?? document.body;
  if (bubble.parentElement !== home) home.append(bubble);
  bubble.textContent = text;
  bubble.showPopover();
  const at = control.getBoundingClientRect();
  const size = bubble.getBoundingClientRect();
  const above = at.top > size.height + 12;
  const left = Math.min(Math.max(8, at.left + at.width / 2 - size.width / 2), innerWidth - size.width - 8);
  bubble.style.translate = `${Math.round(left)}px ${Math.round(above ? at.top - size.height - 6 : at.bottom + 6)}px`;
}
