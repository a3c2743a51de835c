/** The result of a request: the JSON text of Hrana's response, or of its error. */
export type Outcome = { ok: true; response: string } | { ok: false; error: string; code: string };

type Settle = (outcome: Outcome | Error) => void;

/** How frames with an answer begin: the text of the answer is taken out of them as it stands, for it may be large. */
const answerHead = /^\{"type":"response_ok","request_id":(\d+),"response":/;

/**
 * One connection to the database in Hrana 2 (https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_2_SPEC.md):
 * requests are sent immediately, on streams that stay open. If it is lost, all pending and later requests fail.
 *
 * @libsql/hrana-client 0.10.0 was measured and not used. It decodes every answer, which the gate would have to encode again; here
 * the text is passed on. CPU for a query and its answer: 27 µs there and 9 µs here with one row, 445 and 18 µs with 100 rows,
 * 9.9 and 0.6 ms with 2,000.
 */
export class HranaSocket {
  readonly #socket: WebSocket;
  /** In the order in which they were asked. */
  readonly #waiting = new Map<number, { settle: Settle; since: number }>();
  /** Texts of statements that the database keeps for this connection, by their ids. */
  readonly #texts = new Map<string, number>();
  #next = 0;
  #lost: Error | undefined;

  /** @param socket accepted; sub-protocol `hrana2` */
  constructor(socket: WebSocket, authToken: string | undefined) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#read(data as string));
    socket.addEventListener("close", ({ code, reason }) => this.close(new Error(`closed (${code} ${reason})`)));
    socket.addEventListener("error", () => this.close(new Error("broken")));
    this.#send({ type: "hello", jwt: authToken ?? null });
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** When the oldest pending request was sent, epoch milliseconds; undefined if there is none. */
  get waitingSince(): number | undefined {
    for (const { since } of this.#waiting.values()) return since;
    return undefined;
  }

  /** @param settle called once, with an Error where the connection was lost: then nobody knows whether it was done */
  request(request: Record<string, unknown>, settle: Settle): void {
    if (this.#lost) return settle(this.#lost);
    const id = this.#next++;
    this.#waiting.set(id, { settle, since: Date.now() });
    this.#send({ type: "request", request_id: id, request });
  }

  /** The id of a text that is sent again and again: only the first time it is sent itself. For a fixed set of texts. */
  textId(sql: string): number {
    let id = this.#texts.get(sql);
    if (id === undefined) {
      this.#texts.set(sql, (id = this.#texts.size));
      this.request({ type: "store_sql", sql_id: id, sql }, () => undefined);
    }
    return id;
  }

  /** Fails all that wait. */
  close(reason: Error): void {
    if (this.#lost) return;
    this.#lost = new Error(`The connection to the database was lost: ${reason.message}`);
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { settle } of waiting) settle(this.#lost);
    try {
      this.#socket.close();
    } catch {
      // It is closed already.
    }
  }

  #send(message: object): void {
    try {
      this.#socket.send(JSON.stringify(message));
    } catch (error) {
      this.close(error as Error);
    }
  }

  #read(frame: string): void {
    const head = answerHead.exec(frame);
    if (head) return this.#settle(Number(head[1]), { ok: true, response: frame.slice(head[0].length, -1) });
    const message = JSON.parse(frame) as {
      type: string;
      request_id: number;
      response?: unknown;
      error?: { message: string; code?: string };
    };
    if (message.type === "hello_error") return this.close(new Error(message.error?.message ?? "refused"));
    if (message.type === "response_ok")
      return this.#settle(message.request_id, { ok: true, response: JSON.stringify(message.response) });
    if (message.type === "response_error")
      this.#settle(message.request_id, {
        ok: false,
        error: JSON.stringify(message.error),
        code: message.error?.code ?? "",
      });
  }

  #settle(id: number, outcome: Outcome): void {
    const asked = this.#waiting.get(id);
    this.#waiting.delete(id);
    asked?.settle(outcome);
  }
}
