/**
 * Scrolls what an element lies in as little as it takes to have all of it in view. Unlike `scrollIntoView` this leaves alone where Tab goes on,
 * and nothing but the nearest box that scrolls is moved.
 * @param room what stays free above and below it, in pixels
 */
export function scrollNearest(element: HTMLElement, room: { above: number; below: number }): void {
  let box = element.parentElement;
  while (box && !/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement;
  if (!box) return;
  const outer = box.getBoundingClientRect();
  const inner = element.getBoundingClientRect();
  const above = inner.top - room.above - outer.top;
  const below = inner.bottom + room.below - outer.bottom;
  // The beginning counts where not all of it fits.
  if (above < 0) box.scrollTop += above;
  else if (below > 0) box.scrollTop += Math.min(below, above);
}
