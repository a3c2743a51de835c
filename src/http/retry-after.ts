/**
 * `Retry-After` (RFC 9110, section 10.2.3) in seconds from now, whether it was given in seconds or as a date; undefined where it
 * says nothing.
 * @param now epoch seconds
 * @param maxSeconds seconds; whatever an upstream says, nobody waits longer for it at once
 */
export function retryAfterSeconds(value: string | null | undefined, now: number, maxSeconds = 300): number | undefined {
  if (value === null || value === undefined || value.trim() === "") return undefined;
  const said = Number(value);
  const seconds = Number.isFinite(said) ? said : Date.parse(value) / 1000 - now;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), maxSeconds) : undefined;
}
