import { askService, type Endpoint, RequestRefused, RunStopped } from "../../src/shared/moving-in/ask-service.ts";

/** An export as `POST /api/v1/exports` answers (src/life/export/schema.ts). */
export interface ServiceExport {
  id: string;
  scope: "service" | "person";
  secrets: boolean;
  source: string;
  created_at: number;
  kinds: { kind: string; count: number }[];
  left_out: { what: string; count: number; reason: string }[];
}

export interface ExportWanted {
  scope: "service" | "person";
  person_id?: string | undefined;
  secrets: boolean;
}

/** An answer that breaks off is asked for so often. */
const maxAttempts = 8;

/** The export API of a running service. */
export class ExportSource {
  readonly #ask: ReturnType<typeof askService>;
  readonly #signal: AbortSignal;

  constructor(endpoint: Endpoint) {
    this.#ask = askService(endpoint, "/api/v1/exports");
    this.#signal = endpoint.signal;
  }

  /** @throws RequestRefused, RunStopped */
  async begin(wanted: ExportWanted): Promise<ServiceExport> {
    const body = JSON.stringify(wanted);
    const headers = { "content-type": "application/json" };
    const answer = await this.#ask("", async () => ({ method: "POST", headers, body }));
    return (await answer!.json()) as ServiceExport;
  }

  /** @throws RequestRefused, RunStopped */
  async get(id: string): Promise<ServiceExport> {
    return (await (await this.#ask(`/${encodeURIComponent(id)}`, async () => ({
      method: "GET",
    })))!.json()) as ServiceExport;
  }

  /**
   * A page of records as it arrives.
   * @param take reads all of it; called again where it breaks off
   * @throws RequestRefused, RunStopped
   */
  page<T>(
    id: string,
    kind: string,
    cursor: string | undefined,
    take: (lines: AsyncIterable<Uint8Array>, cursor: string | null) => Promise<T>,
  ): Promise<T> {
    const query = cursor === undefined ? "" : `?cursor=${encodeURIComponent(cursor)}`;
    return this.#whole(`/${encodeURIComponent(id)}/records/${kind}${query}`, (answer) =>
      take(answer.body ?? new Blob([]).stream(), answer.headers.get("x-next-cursor")),
    );
  }

  /**
   * The bytes of a file.
   * @param take reads all of them; called again where they break off
   * @throws RequestRefused, RunStopped
   */
  file(id: string, fileId: string, take: (body: ReadableStream<Uint8Array>) => Promise<void>): Promise<void> {
    return this.#whole(`/${encodeURIComponent(id)}/files/${encodeURIComponent(fileId)}`, (answer) =>
      take(answer.body!),
    );
  }

  async #whole<T>(path: string, read: (answer: Response) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = (await this.#ask(path, async () => ({ method: "GET" })))!;
      try {
        return await read(answer);
      } catch (error) {
        this.#signal.throwIfAborted();
        // What the disk says is no matter of the connection.
        if (error instanceof RequestRefused || /^E(?!CONN|RR_)/.test((error as NodeJS.ErrnoException).code ?? ""))
          throw error;
        if (attempt >= maxAttempts) throw new RunStopped(`Its answers break off: ${(error as Error).message}`);
      }
    }
  }
}
