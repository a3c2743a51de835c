/** Whatever an upstream says, nobody waits longer for it than this at once; seconds. */
const longest = 300;

/**
 * `Retry-After` in seconds from now, whether it was given in seconds or as a date.
 * @param now epoch seconds
 */
export function retryAfterSeconds(value: string | null | undefined, now: number): number | undefined {
  if (value === null || value === undefined || value.trim() === "") return undefined;
  const said = Number(value);
  const seconds = Number.isFinite(said) ? said : Date.parse(value) / 1000 - now;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), longest) : undefined;
}
