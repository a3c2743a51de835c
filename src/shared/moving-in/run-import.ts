import { RequestRefused } from "./ask-service.ts";
import type { ImportTarget, RecordResult, SendOptions } from "./import-target.ts";
import type { Reader, Reading, Row, RowSource, Translated } from "./row-source.ts";

/** What one request sends at most; a single record may be larger. */
const maxRecords = 200;
const maxBytes = 2_000_000;
/** Of a request's body, as the service takes it. */
const maxBodyBytes = 15_000_000;
const uploadsAtOnce = 3;

/** How far the import is: rows of the source that one reader has read. */
export interface Progress {
  reader: string;
  done: number;
  total: number;
}

export interface ImportPlan extends SendOptions {
  readers: readonly Reader[];
  reading: Reading;
  target: ImportTarget;
  importId: string;
  /** Told of every record, as soon as it is known. */
  onOutcome(outcome: RecordResult): void;
  onProgress(progress: Progress): void;
}

/**
 * Reads everything that the readers name, in their order, and sends it. A record that cannot be imported is an outcome like
 * others; the run ends early only when the service takes nothing any more.
 * @throws RunStopped; what the source throws
 */
export async function runImport(plan: ImportPlan): Promise<void> {
  for (const reader of plan.readers) {
    const counted = await countRows(plan, reader);
    const sender = new Sender(plan, reader.maxRecords ?? maxRecords);
    for await (const translated of reader.read({ ...plan.reading, source: counted })) await sender.take(translated);
    await sender.flush();
  }
}

/** The same source, which tells how many rows of the reader's tables were read. */
async function countRows({ reading: { source }, onProgress }: ImportPlan, reader: Reader): Promise<RowSource> {
  const counts = await Promise.all(reader.tables.map((table) => source.count(table)));
  const total = counts.reduce((sum, each) => sum + each, 0);
  let done = 0;
  onProgress({ reader: reader.name, done, total });
  async function* rows(table: string, by?: string): AsyncGenerator<Row> {
    for await (const row of source.rows(table, by)) {
      yield row;
      if (!reader.tables.includes(table)) continue;
      done += 1;
      onProgress({ reader: reader.name, done, total });
    }
  }
  return {
    columns: (table) => source.columns(table),
    rowsOf: (table, column, values, by) => source.rowsOf(table, column, values, by),
    count: (table) => source.count(table),
    rows,
  };
}

/** Gathers records for requests, and keeps a few uploads under way. */
class Sender {
  readonly #plan: ImportPlan;
  readonly #maxRecords: number;
  #records: { kind: string; id: string; text: string }[] = [];
  #bytes = 0;
  readonly #uploads = new Set<Promise<void>>();
  /** Of uploads that nobody waited for yet. */
  readonly #failures: unknown[] = [];

  constructor(plan: ImportPlan, maxTogether: number) {
    this.#plan = plan;
    this.#maxRecords = maxTogether;
  }

  async take(translated: Translated): Promise<void> {
    if ("leftOut" in translated) {
      const { kind, id, reason } = translated.leftOut;
      return this.#plan.onOutcome(outcome(kind, id, "left_out", reason));
    }
    if ("file" in translated) return this.#upload(translated);
    await this.#waitForUploads();
    const { kind, id } = translated.record;
    const text = textOf(translated.record);
    if (text === undefined) return this.#plan.onOutcome(outcome(kind, id, "failed", "It is nested too deeply"));
    if (this.#records.length >= this.#maxRecords || this.#bytes + text.length > maxBytes) await this.#sendAll();
    this.#records.push({ kind, id, text });
    this.#bytes += text.length;
  }

  async flush(): Promise<void> {
    await this.#sendAll();
    await this.#waitForUploads();
  }

  async #sendAll(): Promise<void> {
    const records = this.#records;
    this.#records = [];
    this.#bytes = 0;
    await this.#send(records);
  }

  /** Where the service refuses several records, it is asked for each half. */
  async #send(records: readonly { kind: string; id: string; text: string }[]): Promise<void> {
    const [first] = records;
    if (!first) return;
    const { target, importId, onOutcome } = this.#plan;
    if (records.length === 1 && first.text.length > maxBodyBytes)
      return onOutcome(outcome(first.kind, first.id, "failed", "It is too large to send"));
    try {
      const texts = records.map(({ text }) => text);
      for (const result of await target.send(importId, texts, this.#plan)) onOutcome(result);
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error;
      if (records.length === 1) return onOutcome(outcome(first.kind, first.id, "failed", error.message));
      const half = Math.ceil(records.length / 2);
      await this.#send(records.slice(0, half));
      await this.#send(records.slice(half));
    }
  }

  async #upload({ file, open }: Extract<Translated, { file: unknown }>): Promise<void> {
    await this.#sendAll();
    const { target, importId, dryRun, onOutcome } = this.#plan;
    const missing = () => onOutcome(outcome("file", file.id, "left_out", "Its bytes are not in the uploads"));
    const work = async () => {
      if (dryRun) {
        const opened = await open();
        if (opened && "cancel" in opened.body) await opened.body.cancel();
        return opened ? onOutcome(outcome("file", file.id, "created")) : missing();
      }
      try {
        const result = await target.upload(importId, file, open);
        if (result) onOutcome(result);
        else missing();
      } catch (error) {
        if (!(error instanceof RequestRefused)) throw error;
        onOutcome(outcome("file", file.id, "failed", error.message));
      }
    };
    const running: Promise<void> = work()
      .catch((error: unknown) => void this.#failures.push(error))
      .finally(() => this.#uploads.delete(running));
    this.#uploads.add(running);
    if (this.#uploads.size >= uploadsAtOnce) await Promise.race(this.#uploads);
    this.#throwFailure();
  }

  async #waitForUploads(): Promise<void> {
    await Promise.all(this.#uploads);
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failures.length > 0) throw this.#failures[0];
  }
}

/** Undefined for what is nested so deeply that it cannot be written. */
function textOf(record: object): string | undefined {
  try {
    return JSON.stringify(record);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function outcome(kind: string, id: string, state: RecordResult["state"], reason?: string): RecordResult {
  return { kind, id, state, earlier: false, target_id: null, notes: reason === undefined ? [] : [reason] };
}
