import type { HranaSocket, Outcome } from "./hrana-socket.ts";

interface Work {
  request: Record<string, unknown>;
  /** When it came, milliseconds of `performance.now()`. */
  since: number;
  settle(outcome: Outcome | Error | undefined): void;
}

/** Is told who waits for a stream. */
export interface PoolObserver {
  waits(): void;
  /** @param since when it began to wait, milliseconds of `performance.now()` */
  leaves(since: number): void;
}

/** Streams of one connection: each does one thing at a time; requests wait for a free one. */
export class StreamPool {
  readonly #socket: HranaSocket;
  readonly #maxStreams: number;
  readonly #free: number[] = [];
  readonly #queue: Work[] = [];
  readonly #observer: PoolObserver | undefined;
  #opened = 0;
  #busy = 0;

  /** @param maxStreams each is a connection of the database */
  constructor(socket: HranaSocket, maxStreams: number, observer?: PoolObserver) {
    this.#socket = socket;
    this.#maxStreams = maxStreams;
    this.#observer = observer;
  }

  /**
   * Runs one Hrana request (`execute` or `batch`, without `stream_id`).
   * @returns undefined if it was not sent because the connection is lost
   * @throws Error if it was lost afterwards: the request may have been executed
   */
  run(request: Record<string, unknown>): Promise<Outcome | undefined> {
    if (this.#socket.isLost) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const settle: Work["settle"] = (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
      this.#queue.push({ request, since: performance.now(), settle });
      this.#observer?.waits();
      this.#advance();
    });
  }

  #advance(): void {
    if (this.#socket.isLost) {
      for (const { settle, since } of this.#queue.splice(0)) {
        this.#observer?.leaves(since);
        settle(undefined);
      }
      return;
    }
    while (this.#busy < this.#maxStreams) {
      const work = this.#queue.shift();
      if (!work) return;
      this.#observer?.leaves(work.since);
      this.#start(work);
    }
  }

  /** A stream is given back when its answer comes, whatever has become of the one who asked. */
  #start({ request, settle }: Work): void {
    const stream = this.#free.pop() ?? this.#open();
    this.#busy++;
    this.#socket.request({ ...request, stream_id: stream }, (outcome) => {
      this.#busy--;
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
