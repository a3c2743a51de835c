import { contentReaders } from "../../../src/shared/moving-in/open-webui/content-readers.ts";
import type { ImportedRecord, Reading, Translated } from "../../../src/shared/moving-in/row-source.ts";

/** All that a reader finds. @param name of the reader */
export async function readAll(name: string, reading: Reading): Promise<Translated[]> {
  const found: Translated[] = [];
  for await (const each of contentReaders.find((reader) => reader.name === name)!.read(reading)) found.push(each);
  return found;
}
/** The records among it. */
export const recordsOf = (all: readonly Translated[]): ImportedRecord[] =>
  all.flatMap((each) => ("record" in each ? [each.record] : []));
