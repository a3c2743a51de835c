import type { Item } from "./to-parts.ts";
import type { EventWriter } from "./write-events.ts";

/** How far an item came. */
export type ItemState = "completed" | "incomplete";

/** One item of the output that is being told. */
export interface OutputItem {
  /**
   * The item as it is so far, or was when it was closed.
   * @param keepsMarks with the provider's marks on thoughts, whoever asked for them
   */
  item(keepsMarks?: boolean): Item;
  close(state: ItemState): void;
}

export interface ItemPlace {
  writer: EventWriter;
  id: string;
  outputIndex: number;
}

/** Adds an item: tells its beginning, and gives what its other events have in common. */
export function addItem({ writer, id, outputIndex }: ItemPlace, item: Item): string {
  writer.event("response.output_item.added", { output_index: outputIndex, item });
  return `"item_id":${JSON.stringify(id)},"output_index":${outputIndex}`;
}

export function endItem({ writer, outputIndex }: ItemPlace, item: Item): void {
  writer.event("response.output_item.done", { output_index: outputIndex, item });
}
