/**
 * Calls `look` every `everyMs` milliseconds while `isNeeded()` holds and the page is in view, for what no event tells of.
 * Call while a component is set up.
 */
export function lookAgain(everyMs: number, isNeeded: () => boolean, look: () => Promise<void>): void {
  $effect(() => {
    if (!isNeeded()) return;
    const timer = setInterval(() => document.visibilityState === "visible" && void look(), everyMs);
    return () => clearInterval(timer);
  });
}
