/** Keeps a page above the keyboard: Safari lays it over the page instead of making the page smaller. For `{@attach}`. */
export function aboveKeyboard(page: HTMLElement): () => void {
  const view = window.visualViewport;
  const fit = (): void => {
    page.style.height = view && innerHeight - view.height > 80 ? `${view.height}px` : "";
  };
  view?.addEventListener("resize", fit);
  return () => view?.removeEventListener("resize", fit);
}
