import type { Services } from "../../../context.ts";
import { runBatch } from "../../../db/batch.ts";
import { JobFailure } from "../../../jobs/job-failure.ts";
import { maxPassages } from "../../retrieval/chunk-number.ts";
import { chunkStatements } from "../../retrieval/store-chunks.ts";
import type { Passage } from "../extraction/extractor.ts";

/** So many go into the database at once. */
const slice = 250;

/** Stores the passages of a text as they come, some at a time; holds one slice at most. */
export class PassageStore {
  readonly #services: Pick<Services, "db">;
  readonly #text: { fileId: string; version: number };
  #waiting: Passage[] = [];
  #stored = 0;

  constructor(services: Pick<Services, "db">, text: { fileId: string; version: number }) {
    this.#services = services;
    this.#text = text;
  }

  /** How many have come. */
  get count(): number {
    return this.#stored + this.#waiting.length;
  }

  /** @throws JobFailure for more than a text can have */
  async add(passages: readonly Passage[]): Promise<void> {
    this.#waiting.push(...passages);
    if (this.count > maxPassages)
      throw new JobFailure("file_too_large", `It has more than ${maxPassages} passages`, { final: true });
    while (this.#waiting.length >= slice) await this.#store();
  }

  async finish(): Promise<void> {
    while (this.#waiting.length > 0) await this.#store();
  }

  async #store(): Promise<void> {
    const passages = this.#waiting.slice(0, slice);
    const { db } = this.#services;
    await runBatch(db, chunkStatements(db, { ...this.#text, firstPosition: this.#stored, passages }));
    this.#waiting = this.#waiting.slice(passages.length);
    this.#stored += passages.length;
  }
}
