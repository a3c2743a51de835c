import { v7 } from "uuid";

/** A new UUIDv7: unique, and sorted by the time it was made (RFC 9562, section 5.7). */
export function newId(): string {
  return v7();
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID of any version. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}
