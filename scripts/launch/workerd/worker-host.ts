import type { BuiltWorker } from "../runtime-plan.ts";

interface Parts {
  /** Where the service reaches it. */
  socket: string;
  pool: {
    renew(): void;
    stop(): void;
    readonly processes: readonly { readonly pid: number | undefined }[];
  };
  startRouter(): Promise<{ close(): void }>;
}

/** A Worker that runs in its own processes, behind a router. Until first use it is only a listening socket. */
export class WorkerHost {
  readonly socket: string;
  readonly #parts: Parts;
  #worker: BuiltWorker | undefined;
  #router: { close(): void } | undefined;

  /** @param assemble given what the processes ask for when they start: the Worker as it was built last */
  constructor(assemble: (worker: () => BuiltWorker) => Parts) {
    this.#parts = assemble(() => this.#worker!);
    this.socket = this.#parts.socket;
  }

  async start(worker: BuiltWorker): Promise<void> {
    this.#worker = worker;
    this.#router = await this.#parts.startRouter();
  }

  /** What is under way ends as if the host could not be reached. */
  replace(worker: BuiltWorker): void {
    if (worker.modulesRoot === this.#worker?.modulesRoot) return;
    this.#worker = worker;
    this.#parts.pool.renew();
  }

  /** Of the processes that there are now. */
  get pids(): (number | undefined)[] {
    return this.#parts.pool.processes.map(({ pid }) => pid);
  }

  stop(): void {
    this.#router?.close();
    this.#parts.pool.stop();
  }
}
