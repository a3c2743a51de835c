import type { Citations } from "../../../lib/markdown/cite.ts";
import { type Source, sourceEntries } from "../items/read-sources.ts";
import { texts } from "../texts.ts";
import { sourceAddress } from "./source-address.ts";

/** What the numbers in an answer stand for; undefined for an answer without sources. */
export function citationsOf(sources: readonly Source[], messageId: string): Citations | undefined {
  if (sources.length === 0) return undefined;
  const names = new Map(
    sourceEntries(sources).map(({ number, source, passage }) => [
      number,
      texts.sources.open(number, source.name, passage?.page ? texts.sources.place(passage.page) : ""),
    ]),
  );
  return {
    has: (number) => names.has(number),
    // Without a path: it is the one of the chat, which a new chat gets only after its first answer has begun.
    address: (number) => sourceAddress("", messageId, number),
    label: (number) => names.get(number) ?? "",
  };
}
