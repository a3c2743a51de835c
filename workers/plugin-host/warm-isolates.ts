/** How an isolate is ended that nobody uses: inside of a request, which does not wait for it. */
export type EndIsolate = (name: string) => void;

interface Warm {
  /** Raised when making it failed and when it was ended: the loader keeps what it has under a name for good. */
  generation: number;
  /** Whether the loader has it, as far as is known. */
  isMade: boolean;
  /** Whether it is large enough to be worth ending: those of Python. */
  isLarge: boolean;
  /** Open sessions: what a plugin keeps in it lasts at least as long as a turn. */
  sessions: number;
  /** When the last session ended; epoch ms. */
  usedAt: number;
}

/** The isolates of this process: which ones are warm, and which ones make room for others. */
export class WarmIsolates {
  readonly #byName = new Map<string, Warm>();

  /** A session begins. @returns what ends it */
  enter(name: string, isLarge: boolean): () => void {
    const warm = this.#byName.get(name) ?? { generation: 0, isMade: false, isLarge, sessions: 0, usedAt: 0 };
    this.#byName.set(name, warm);
    warm.sessions++;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      warm.sessions--;
      warm.usedAt = Date.now();
    };
  }

  isMade(name: string): boolean {
    return this.#byName.get(name)?.isMade === true;
  }

  generationOf(name: string): number {
    return this.#byName.get(name)?.generation ?? 0;
  }

  made(name: string): void {
    const warm = this.#byName.get(name);
    if (warm) warm.isMade = true;
  }

  /** Nothing under this name serves any more; the next call makes another one. @param generation that was tried */
  lost(name: string, generation: number): void {
    const warm = this.#byName.get(name);
    if (!warm || warm.generation !== generation) return;
    warm.generation++;
    warm.isMade = false;
  }

  /**
   * Ends large isolates without a session, the least recently used first, until there is room for one more.
   * @param max so many may be there
   */
  makeRoom(max: number, end: EndIsolate): void {
    const large = [...this.#byName].filter(([, { isLarge, isMade }]) => isLarge && isMade);
    const idle = large.filter(([, { sessions }]) => sessions === 0).toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [name, warm] of idle.slice(0, Math.max(0, large.length + 1 - max))) this.#end(name, warm, end);
  }

  /** Ends large isolates that have had no session for so many ms. @returns how many */
  endUnused(unusedMs: number, end: EndIsolate): number {
    const until = Date.now() - unusedMs;
    const unused = [...this.#byName].filter(
      ([, { isLarge, isMade, sessions, usedAt }]) => isLarge && isMade && sessions === 0 && usedAt <= until,
    );
    for (const [name, warm] of unused) this.#end(name, warm, end);
    return unused.length;
  }

  #end(name: string, warm: Warm, end: EndIsolate): void {
    end(loaderName(name, warm.generation));
    warm.generation++;
    warm.isMade = false;
  }
}

/** Under what the loader has an isolate. */
export function loaderName(name: string, generation: number): string {
  return `${name}\n${generation}`;
}
