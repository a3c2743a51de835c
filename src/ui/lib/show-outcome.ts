import type { Attachment } from "svelte/attachments";
import { scrollNearest } from "./scroll-nearest.ts";

/** Room between what is shown and the edge of what scrolls, in pixels. */
const room = 16;

/**
 * Brings the outcome of something that the person has just started into view, as far as it fits: above the buttons that stick to the
 * lower edge of its form. What is in view already stays where it is.
 * @param outcome as long as there is none (`undefined`, `false`), nothing moves; each new one is shown
 */
export function showOutcome(outcome: unknown): Attachment<HTMLElement> | undefined {
  if (!outcome) return undefined;
  return (element) => {
    // By then everything that the outcome brings has its place.
    const frame = requestAnimationFrame(() => {
      const footer = element.closest("form")?.querySelector<HTMLElement>(":scope > footer");
      scrollNearest(element, { above: room, below: (footer?.offsetHeight ?? 0) + room });
    });
    return () => cancelAnimationFrame(frame);
  };
}
