/** Counts whole seconds down to zero, for "try again in 12 seconds". */
export class Countdown {
  left = $state(0);
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param seconds how long to wait from now on */
  start(seconds: number): void {
    const end = Date.now() + seconds * 1000;
    this.left = seconds;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => {
      this.left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      if (this.left === 0) clearInterval(this.#timer);
    }, 250);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.left = 0;
  }
}
