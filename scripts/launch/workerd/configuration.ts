/** A configuration for processes, created on first use, and again after `renew` or a failure. */
export class Configuration {
  readonly #make: () => Promise<Buffer>;
  #made: Promise<Buffer> | undefined;

  constructor(make: () => Promise<Buffer>) {
    this.#make = make;
  }

  /** The one that counts when it is there: one that was asked for before a change is not. */
  async get(): Promise<Buffer> {
    for (;;) {
      const asked = (this.#made ??= this.#make());
      try {
        const configuration = await asked;
        if (asked === this.#made) return configuration;
      } catch (error) {
        if (asked !== this.#made) continue;
        this.#made = undefined;
        throw error;
      }
    }
  }

  renew(): void {
    this.#made = undefined;
  }
}
