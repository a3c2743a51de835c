import type { HranaSocket, Outcome } from "./hrana-socket.ts";

interface Work {
  request: Record<string, unknown>;
  writes: boolean;
  settle(outcome: Outcome | Error | undefined): void;
}

export interface PoolSize {
  /** Streams, each a connection of the database. */
  streams: number;
  /** How many of them may write at the same time. */
  writers: number;
}

/** Streams of one connection: each does one thing at a time, what finds none free waits for its turn. */
export class StreamPool {
  readonly #socket: HranaSocket;
  readonly #size: PoolSize;
  readonly #free: number[] = [];
  readonly #queue: Work[] = [];
  #opened = 0;
  #busy = 0;
  #writing = 0;

  constructor(socket: HranaSocket, size: PoolSize) {
    this.#socket = socket;
    this.#size = size;
  }

  /**
   * Runs one Hrana request (`execute` or `batch`, without `stream_id`).
   * @returns undefined where it was not sent, as the connection is lost
   * @throws Error where it was lost afterwards: nobody knows whether it was done
   */
  run(request: Record<string, unknown>, writes: boolean): Promise<Outcome | undefined> {
    if (this.#socket.isLost) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const settle: Work["settle"] = (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
      this.#queue.push({ request, writes, settle });
      this.#advance();
    });
  }

  #advance(): void {
    if (this.#socket.isLost) {
      for (const { settle } of this.#queue.splice(0)) settle(undefined);
      return;
    }
    for (let at = 0; at < this.#queue.length && this.#busy < this.#size.streams;) {
      const work = this.#queue[at]!;
      if (work.writes && this.#writing >= this.#size.writers) {
        at++;
        continue;
      }
      this.#queue.splice(at, 1);
      this.#start(work);
    }
  }

  /** A stream is given back when its answer comes, whatever has become of the one who asked. */
  #start({ request, writes, settle }: Work): void {
    const stream = this.#free.pop() ?? this.#open();
    this.#busy++;
    if (writes) this.#writing++;
    this.#socket.request({ ...request, stream_id: stream }, (outcome) => {
      this.#busy--;
      if (writes) this.#writing--;
      if (outcome instanceof Error) {
        settle(outcome);
        return this.#advance();
      }
      // What is no error of SQL may be the end of the stream: another takes its place.
      if (outcome.ok || outcome.code.startsWith("SQL")) this.#free.push(stream);
      else this.#socket.request({ type: "close_stream", stream_id: stream }, () => undefined);
      settle(outcome);
      this.#advance();
    });
  }

  #open(): number {
    const stream = this.#opened++;
    this.#socket.request({ type: "open_stream", stream_id: stream }, () => undefined);
    return stream;
  }
}
