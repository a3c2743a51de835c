import { ZipNames } from "../../lib/zip-stream.ts";
import type { ExportedRecord } from "../export/record-source.ts";

/** The files of a zip file: where each is in it, and what became of it. */
export class ZipFiles {
  readonly list: { id: string; path: string; size: number; at: number }[] = [];
  /** Ids of those that did not fit. */
  readonly leftOut: string[] = [];
  written = 0;
  readonly #names = new ZipNames();

  /** The records of files, each with its place, under the name that it was uploaded with. */
  async *named(records: AsyncIterable<ExportedRecord>): AsyncGenerator<ExportedRecord> {
    for await (const record of records) {
      const path = this.#names.take(`files/${String(record["name"]).replaceAll("/", "_")}`);
      this.list.push({
        id: String(record["id"]),
        path,
        size: Number(record["size"]),
        at: Number(record["created_at"]),
      });
      yield { ...record, path };
    }
  }
}
