import type { AnswerText as Texts } from "./conversations/write-answer.ts";
import { gatherDeltas, type Delta } from "./gather-deltas.ts";

/** Who is shown the text while it grows. */
export interface TextWatcher {
  /** More text; pieces that come faster than anybody can see come together. */
  delta(delta: Delta): void;
  /** The whole text is another one now; reasoning stays. */
  replaced(content: string): void;
  /** The end is about to be stored; it waits for this. */
  ending?(): Promise<void>;
}

/**
 * The text of one answer while it is written: what the model says and what plugins and tools add to it, in the order in
 * which it comes. Whoever writes into a running answer does it here, and it is stored and shown from here.
 */
export class AnswerText {
  #content: string;
  #reasoning: string;
  #replacements = 0;
  #isClosed = false;
  #store: (() => Promise<void>) | undefined;
  readonly #deltas: ReturnType<typeof gatherDeltas>;
  readonly #watcher: TextWatcher | undefined;
  readonly #listeners = new Set<() => void>();

  /** @param start what is stored already, and the answer goes on from */
  constructor(start: Readonly<Texts> = { content: "", reasoning: "" }, watcher?: TextWatcher) {
    this.#content = start.content;
    this.#reasoning = start.reasoning;
    this.#watcher = watcher;
    this.#deltas = gatherDeltas((delta) => watcher?.delta(delta));
  }

  /** Whether its end is being stored: what else comes does not get in. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves when nothing else has to be stored before the end. */
  async close(): Promise<void> {
    await this.#watcher?.ending?.();
    this.#isClosed = true;
  }

  get content(): string {
    return this.#content;
  }

  get reasoning(): string {
    return this.#reasoning;
  }

  /** How often the text has been replaced: what was stored before the last time is no beginning of it. */
  get replacements(): number {
    return this.#replacements;
  }

  append({ content = "", reasoning = "" }: { content?: string; reasoning?: string }): void {
    if (content === "" && reasoning === "") return;
    this.#content += content;
    this.#reasoning += reasoning;
    if (this.#watcher) this.#deltas.add(content, reasoning);
    this.#changed();
  }

  /** Another text takes the place of all that was written. */
  replace(content: string): void {
    this.#deltas.flush();
    this.#content = content;
    this.#replacements += 1;
    this.#watcher?.replaced(content);
    this.#changed();
  }

  /** Shows at once what is still being gathered. */
  flush(): void {
    this.#deltas.flush();
  }

  /** Resolves when what has come so far is stored, or has failed to be: others that write beside it stand behind it then. */
  async settle(): Promise<void> {
    await this.#store?.();
  }

  /** Says how to store it at once. */
  storedBy(store: () => Promise<void>): void {
    this.#store = store;
  }

  /** Calls back after each change, until the function that is returned is called. */
  listen(onChange: () => void): () => void {
    this.#listeners.add(onChange);
    return () => void this.#listeners.delete(onChange);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
