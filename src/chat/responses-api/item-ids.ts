import { newId as newUuid } from "../../lib/id.ts";

/** The prefixes of item ids, by which clients know the kinds. */
export type ItemPrefix = "msg" | "rs" | "fc" | "ctc" | "fco" | "item";

export function newResponseId(newId: () => string = newUuid): string {
  return `resp_${newId().replaceAll("-", "")}`;
}

/**
 * An item's id contains where it is stored, because clients refer to items of earlier answers by id alone: the id of
 * its response, and its position in the output or input.
 */
export function itemId(prefix: ItemPrefix, responseId: string, list: "input" | "output", place: number): string {
  const [, response] = responseId.split("_");
  return `${prefix}_${response}${list === "input" ? "i" : "o"}${place}`;
}

const pattern = /^[a-z]+_([0-9a-f]{32})([io])(\d{1,6})$/;

/** Where an item is stored; undefined for a foreign id. */
export function placeOfItem(id: string): { responseId: string; list: "input" | "output"; place: number } | undefined {
  const [, response, list, place] = pattern.exec(id) ?? [];
  if (response === undefined) return undefined;
  return { responseId: `resp_${response}`, list: list === "i" ? "input" : "output", place: Number(place) };
}
