import type { Event } from "./audit.ts";

/** Why an event failed, in the service's own words; undefined for everything that went well. */
export function failureOf({ detail }: Pick<Event, "detail">): string | undefined {
  const { error, error_description: description } = detail;
  if (error === undefined || error === null) return undefined;
  return typeof description === "string" && description !== "" ? description : String(error);
}
