import type { Item } from "./to-parts.ts";
import type { EventWriter } from "./write-events.ts";

/** The state of an item. */
export type ItemState = "completed" | "incomplete";

/** One item of the streamed output. */
export interface OutputItem {
  /**
   * The item in its current or final state.
   * @param keepsMarks with the provider's signatures on thoughts, even if the client did not ask for them
   */
  item(keepsMarks?: boolean): Item;
  close(state: ItemState): void;
}

export interface ItemPlace {
  writer: EventWriter;
  id: string;
  outputIndex: number;
}

/** Adds an item: sends its first event, and returns what its other events have in common. */
export function addItem({ writer, id, outputIndex }: ItemPlace, item: Item): string {
  writer.event("response.output_item.added", { output_index: outputIndex, item });
  return `"item_id":${JSON.stringify(id)},"output_index":${outputIndex}`;
}

export function endItem({ writer, outputIndex }: ItemPlace, item: Item): void {
  writer.event("response.output_item.done", { output_index: outputIndex, item });
}
