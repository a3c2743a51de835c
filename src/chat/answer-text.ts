import type { AnswerText as Texts } from "./conversations/write-answer.ts";
import { gatherDeltas, type Delta } from "./gather-deltas.ts";

/** Receives the text while it grows. */
export interface TextWatcher {
  /** More text. Pieces that arrive faster than people can see are joined. */
  delta(delta: Delta): void;
  /** The whole text was replaced; reasoning stays. */
  replaced(content: string): void;
  /** The end is about to be stored; storing waits for this. */
  ending?(): Promise<void>;
}

/**
 * The text of one answer while it is written: what the model says and what plugins and tools add, in order of arrival.
 * Everything that writes into a running answer does it here; it is stored and shown from here.
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

  /** @param start what is already stored; the answer continues from it */
  constructor(start: Readonly<Texts> = { content: "", reasoning: "" }, watcher?: TextWatcher) {
    this.#content = start.content;
    this.#reasoning = start.reasoning;
    this.#watcher = watcher;
    this.#deltas = gatherDeltas((delta) => watcher?.delta(delta));
  }

  /** Whether the end is being stored: later text is not accepted. */
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

  /** How often the text has been replaced: text stored before the last replacement is no longer its beginning. */
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

  /** Replaces all text written so far. */
  replace(content: string): void {
    this.#deltas.flush();
    this.#content = content;
    this.#replacements += 1;
    this.#watcher?.replaced(content);
    this.#changed();
  }

  /** Shows gathered text immediately. */
  flush(): void {
    this.#deltas.flush();
  }

  /** Resolves when all text so far is stored, or storing it has failed, so that later writers can append to it. */
  async settle(): Promise<void> {
    await this.#store?.();
  }

  /** Registers a function that stores the text immediately. */
  storedBy(store: () => Promise<void>): void {
    this.#store = store;
  }

  /** Calls `listener` after each change until the returned function is called. */
  listen(onChange: () => void): () => void {
    this.#listeners.add(onChange);
    return () => void this.#listeners.delete(onChange);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
