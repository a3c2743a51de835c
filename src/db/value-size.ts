import { AppError } from "../errors.ts";

/** Largest text that sqld takes as one value of a statement, in bytes. */
export const maxValueBytes = 5_000_000;

const encoder = new TextEncoder();

/**
 * Whether a text is too large for one value of a statement.
 * @param more bytes that are added to it
 */
export function isTooLargeValue(text: string, more = 0): boolean {
  const max = maxValueBytes - more;
  // In UTF-8 a unit of UTF-16 takes three bytes at most: short texts need not be encoded.
  return text.length * 3 > max && (text.length > max || encoder.encode(text).length > max);
}

/** @throws AppError `payload_too_large` where it cannot be stored. @param what begins the message */
export function requireStorable(what: string, text: string): void {
  if (isTooLargeValue(text, 1000))
    throw new AppError("payload_too_large", `${what} is larger than ${maxValueBytes / 1_000_000} MB`);
}
