/**
 * `Retry-After` (RFC 9110, section 10.2.3) in seconds from now, from seconds or a date; undefined if missing or
 * invalid.
 * @param now epoch seconds
 * @param longest maximum in seconds, whatever the upstream says
 */
export function retryAfterSeconds(value: string | null | undefined, now: number, maxSeconds = 300): number | undefined {
  if (value === null || value === undefined || value.trim() === "") return undefined;
  const said = Number(value);
  const seconds = Number.isFinite(said) ? said : Date.parse(value) / 1000 - now;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), maxSeconds) : undefined;
}
