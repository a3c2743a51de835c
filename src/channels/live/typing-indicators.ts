import type { Services } from "../../context.ts";
import { consoleLog } from "../../lib/log.ts";
import { sayTyping } from "../say-typing.ts";

/** Milliseconds in which word of writing at one place goes on once; tabs repeat it every few seconds. */
const minIntervalMs = 2000;
/** Places at which somebody writes at the same time. */
const maxPlaces = 5;

/** Hands on that one person is writing, not more often than others need it. */
export class TypingIndicators {
  readonly #services: () => Services;
  /** When it was said, epoch milliseconds, by place; the oldest first. */
  readonly #said = new Map<string, number>();

  constructor(services: () => Services) {
    this.#services = services;
  }

  /** Never rejects: nobody waits for it. */
  async tell(userId: string, place: { channelId: string; parentId: string | null }): Promise<void> {
    const now = Date.now();
    for (const [key, at] of this.#said) if (now - at >= minIntervalMs) this.#said.delete(key);
    const key = `${place.channelId} ${place.parentId}`;
    if (this.#said.has(key) || this.#said.size >= maxPlaces) return;
    this.#said.set(key, now);
    try {
      await sayTyping(this.#services(), userId, place);
    } catch (error) {
      consoleLog.warn("could not report who is typing", { error });
    }
  }
}
