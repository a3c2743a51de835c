/** What runtimes and clients say of a service that cannot be reached, or answers that something broke inside. */
const away = /network connection lost|fetch failed|connection (?:refused|reset|closed)|ECONN|HTTP status 5\d\d/i;

/** Whether the database or object storage was away: then it is nobody's fault that work did not come to its end. */
export function isAway(error: unknown): boolean {
  for (let current: unknown = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++)
    if (away.test(current.message)) return true;
  return false;
}
