import { createHash } from "node:crypto";
import type { KindEntry } from "../../shared/moving-in/parley/manifest.ts";
import type { ExportedRecord } from "../export/record-source.ts";

const encoder = new TextEncoder();

/** A file of records, one in each line, with what the manifest says of it: complete when all of it was read. */
export class RecordLines {
  readonly entry: KindEntry;

  constructor(kind: string) {
    this.entry = { kind, file: `${kind}.jsonl`, records: 0, bytes: 0, sha256: "" };
  }

  async *write(records: AsyncIterable<ExportedRecord>): AsyncGenerator<Uint8Array> {
    const hash = createHash("sha256");
    for await (const record of records) {
      const line = encoder.encode(`${JSON.stringify(record)}\n`);
      hash.update(line);
      this.entry.records += 1;
      this.entry.bytes += line.length;
      yield line;
    }
    this.entry.sha256 = hash.digest("hex");
  }
}
