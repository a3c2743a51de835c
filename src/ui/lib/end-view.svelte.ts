import { tick } from "svelte";

/** Pixels to the end that still count as being there. */
const nearPx = 24;

interface Options {
  /** The element that scrolls, and the one in it that grows. Both are there once the component is. */
  scroller: () => HTMLElement;
  column: () => HTMLElement;
  /** Whether the end of what is shown is not the real end. */
  hasLater?: () => boolean;
  /** The person has just left the end. */
  onleave?: () => void;
}

/** The view of a list of messages: it stays at the end while messages grow, until the person scrolls away. */
export class EndView {
  /** The person is at the end. */
  isFollowing = $state(true);
  #lastTop = 0;
  readonly #options: Options;

  /** Call while a component is set up. */
  constructor(options: Options) {
    this.#options = options;
    $effect(() => {
      const scroller = options.scroller();
      const observer = new ResizeObserver(() => {
        if (this.isFollowing) scroller.scrollTop = scroller.scrollHeight;
      });
      observer.observe(options.column());
      observer.observe(scroller);
      return () => observer.disconnect();
    });
  }

  get isAtEnd(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.#options.scroller();
    return scrollHeight - scrollTop - clientHeight <= nearPx;
  }

  /** To be called when the list is scrolled. */
  onscroll(): void {
    const { scrollTop } = this.#options.scroller();
    // Only a move upwards is the person's wish to leave the end; growing text moves the end away too.
    if (scrollTop < this.#lastTop - 1 && !this.isAtEnd) {
      if (this.isFollowing) this.#options.onleave?.();
      this.isFollowing = false;
    } else if (this.isAtEnd && !this.#options.hasLater?.()) this.isFollowing = true;
    this.noteTop();
  }

  /** To be called after the view was scrolled by code: that was no wish of the person. */
  noteTop(): void {
    this.#lastTop = this.#options.scroller().scrollTop;
  }

  async toEnd(smooth: boolean): Promise<void> {
    this.isFollowing = true;
    await tick();
    const scroller = this.#options.scroller();
    scroller.scrollTo({ top: scroller.scrollHeight, behavior: smooth ? "smooth" : "instant" });
  }

  /** Keeps an element where it stands on the screen while a change of the page is drawn above it. */
  async hold(anchor: Element | undefined): Promise<void> {
    const scroller = this.#options.scroller();
    const before = anchor?.getBoundingClientRect().top ?? 0;
    // The browser's own anchoring would move the view a second time.
    scroller.style.overflowAnchor = "none";
    await tick();
    if (anchor?.isConnected) scroller.scrollTop += anchor.getBoundingClientRect().top - before;
    this.noteTop();
    requestAnimationFrame(() => (scroller.style.overflowAnchor = ""));
  }

  /** Calls `near` when the element comes near the view. Returns what ends that. */
  watch(element: Element, rootMargin: string, near: () => void): () => void {
    const root = this.#options.scroller();
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && near(), {
      root,
      rootMargin,
    });
    observer.observe(element);
    return () => observer.disconnect();
  }
}
