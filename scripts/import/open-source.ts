import type { RowSource } from "../../src/shared/moving-in/row-source.ts";

/** A source as long as it is open. */
export interface OpenSource extends RowSource {
  close(): Promise<void>;
}
