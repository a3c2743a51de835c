import { tick } from "svelte";
import { at, insidePath } from "./base-path.ts";
import { isDirty } from "./unsaved.svelte.ts";

/**
 * Where the person is. Addresses are real paths, so reload, Back and a second tab always work.
 *
 * A router of our own: the app needs matching, history and one question before unsaved work is left behind, which is
 * less code than adapting a library to ask that question for the Back button too.
 */
class Router {
  url = $state.raw(new URL(location.href));
  /** Set while leaving waits for an answer: the page shows the question, `resolve` gives the answer. */
  question = $state.raw<{ resolve: (leave: boolean) => void } | undefined>(undefined);

  get path(): string {
    return insidePath(this.url.pathname) ?? "/";
  }

  get search(): URLSearchParams {
    return this.url.searchParams;
  }

  /**
   * Goes to an address of this app.
   * @param to path with optional query, such as `/c/0190`
   * @param options `replace`: takes the place of the current entry in the history
   * @returns false when the person chose to stay with unsaved work
   */
  async navigate(to: string, options: { replace?: boolean } = {}): Promise<boolean> {
    const next = new URL(at(to), location.href);
    if (next.href === this.url.href) return true;
    if (!(await this.#mayLeave(next))) return false;
    const position = historyPosition();
    if (options.replace) history.replaceState({ position }, "", next);
    else history.pushState({ position: position + 1 }, "", next);
    this.#position = historyPosition();
    this.url = next;
    await tick();
    return true;
  }

  #position = historyPosition();
  #returning = false;

  /** Starts listening to Back, Forward and clicks on links of this app. Call once. */
  listen(): void {
    addEventListener("popstate", () => void this.#followHistory());
    addEventListener("beforeunload", (event) => {
      if (isDirty()) event.preventDefault();
    });
    document.addEventListener("click", (event) => {
      const to = linkTarget(event);
      if (!to) return;
      event.preventDefault();
      void this.navigate(to);
    });
  }

  async #followHistory(): Promise<void> {
    if (this.#returning) {
      this.#returning = false;
      return;
    }
    const next = new URL(location.href);
    const moved = historyPosition() - this.#position;
    if (isDirty() && moved !== 0 && next.pathname !== this.url.pathname) {
      // The browser has already moved; go back to where the unsaved work is, then ask.
      this.#returning = true;
      history.go(-moved);
      if (!(await this.#mayLeave(next))) return;
      this.#returning = true;
      history.go(moved);
    }
    this.#position += moved;
    this.url = next;
  }

  async #mayLeave(next: URL): Promise<boolean> {
    if (!isDirty() || next.pathname === this.url.pathname) return true;
    const leave = await new Promise<boolean>((resolve) => {
      this.question = { resolve };
    });
    this.question = undefined;
    return leave;
  }
}

function historyPosition(): number {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null && "position" in state && typeof state.position === "number"
    ? state.position
    : 0;
}

/** The path of a plain left click on a link within this app; undefined for everything the browser should do itself. */
function linkTarget(event: MouseEvent): string | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link?.href || link.target || link.hasAttribute("download")) return undefined;
  const path = link.origin === location.origin ? insidePath(link.pathname) : undefined;
  if (path === undefined || /^\/(api|oauth|docs|openapi)/.test(path)) return undefined;
  // A link to a place within this very page is the browser's business.
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return undefined;
  return link.pathname + link.search + link.hash;
}

export const router = new Router();
