import { tick } from "svelte";

/** Pixels to the end that still count as being there. */
const nearPx = 24;
/** How long an element stays in the middle while what is around it is drawn and changes its size, milliseconds. */
const settleMs = 1500;

/** What a person does to move the view themselves. */
const moves = ["wheel", "pointerdown", "touchmove", "keydown"] as const;

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
  /** All of it is in view: there is no end to go to. */
  fits = $state(true);
  #lastTop = 0;
  #centred: Element | undefined;
  readonly #options: Options;

  /** Call while a component is set up. */
  constructor(options: Options) {
    this.#options = options;
    $effect(() => {
      const scroller = options.scroller();
      const observer = new ResizeObserver(() => {
        this.fits = scroller.scrollHeight <= scroller.clientHeight;
        if (this.isFollowing) scroller.scrollTop = scroller.scrollHeight;
        else if (this.#centred) this.#center(this.#centred);
      });
      observer.observe(options.column());
      observer.observe(scroller);
      const release = (): void => this.release();
      for (const move of moves) scroller.addEventListener(move, release, { passive: true });
      return () => {
        observer.disconnect();
        for (const move of moves) scroller.removeEventListener(move, release);
      };
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
    this.release();
    await tick();
    const scroller = this.#options.scroller();
    scroller.scrollTo({ top: scroller.scrollHeight, behavior: smooth ? "smooth" : "instant" });
  }

  /** Brings an element to the middle, or to the top if it is taller, and keeps it there until the page has settled or the person moves. */
  center(element: Element): void {
    this.isFollowing = false;
    this.#centred = element;
    this.#center(element);
    setTimeout(() => this.release(element), settleMs);
  }

  /** Nothing, or not this element, is kept in the middle any more. */
  release(element = this.#centred): void {
    if (this.#centred === element) this.#centred = undefined;
  }

  #center(element: Element): void {
    const scroller = this.#options.scroller();
    const isTall = element.getBoundingClientRect().height > scroller.clientHeight;
    element.scrollIntoView({ block: isTall ? "start" : "center", behavior: "instant" });
    this.noteTop();
  }

  /** Keeps an element where it stands on the screen while a change of the page is drawn above it. */
  async hold(anchor: Element | undefined): Promise<void> {
    const scroller = this.#options.scroller();
    /** Where it stands in what is scrolled: moves of the person do not change that. */
    const place = (): number =>
      anchor?.isConnected ? anchor.getBoundingClientRect().top + scroller.scrollTop : before;
    let before = 0;
    before = place();
    const keep = (): void => {
      const moved = place() - before;
      before += moved;
      if (moved !== 0) scroller.scrollTop += moved;
      this.noteTop();
    };
    // The browser's own anchoring would move the view a second time.
    scroller.style.overflowAnchor = "none";
    await tick();
    keep();
    // What came near the view is drawn with the next frame and gets its own size there.
    requestAnimationFrame(() => {
      keep();
      requestAnimationFrame(() => {
        keep();
        scroller.style.overflowAnchor = "";
      });
    });
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
