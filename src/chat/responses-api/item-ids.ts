import { newId as newUuid } from "../../lib/id.ts";

/** What an id of an item begins with; clients know the kinds by it. */
export type ItemPrefix = "msg" | "rs" | "fc" | "ctc" | "fco" | "item";

export function newResponseId(newId: () => string = newUuid): string {
  return `resp_${newId().replaceAll("-", "")}`;
}

/**
 * An item's id says where it is kept, as clients name items of earlier answers by their ids alone: that of its response, and its place
 * in the output or the input.
 */
export function itemId(prefix: ItemPrefix, responseId: string, list: "input" | "output", place: number): string {
  const [, response] = responseId.split("_");
  return `${prefix}_${response}${list === "input" ? "i" : "o"}${place}`;
}

const pattern = /^[a-z]+_([0-9a-f]{32})([io])(\d{1,6})$/;

/** Where an item is kept; undefined for an id that is none of ours. */
export function placeOfItem(id: string): { responseId: string; list: "input" | "output"; place: number } | undefined {
  const [, response, list, place] = pattern.exec(id) ?? [];
  if (response === undefined) return undefined;
  return { responseId: `resp_${response}`, list: list === "i" ? "input" : "output", place: Number(place) };
}
