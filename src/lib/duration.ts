const unitSeconds: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/**
 * Seconds of a duration such as `4w`, `90m` or `30s`; `null` means "never" (`-1` or `0`); undefined if invalid. The
 * format is that of Open WebUI's `JWT_EXPIRES_IN`: a number with a unit of ms, s, m, h, d or w.
 */
export function parseDuration(text: string): number | null | undefined {
  if (text === "-1" || text === "0") return null;
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/.exec(text);
  if (!match) return undefined;
  const seconds = Math.floor(Number(match[1]) * unitSeconds[match[2]!]!);
  return seconds > 0 ? seconds : undefined;
}
