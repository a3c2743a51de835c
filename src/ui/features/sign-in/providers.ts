/** Where signing in with a provider begins; the browser goes there, it is no call of the app. */
export function providerAddress(id: string, next: string): string {
  const query = next === "/" ? "" : `?next=${encodeURIComponent(next)}`;
  return `/oauth/${encodeURIComponent(id)}/login${query}`;
}

/** A second start within this time means that signing in did not hold: sending the person round again would not end. */
const LOOP = 60_000;
const KEY = "parley:sent-to-provider";

/**
 * Whether the sign-in page may go on to the only provider by itself. Not after signing out or a failure, which the person
 * should read, and not when it just did so.
 */
export function mayGoOn(
  { providers, auto_redirect }: { providers: Record<string, string>; auto_redirect: boolean },
  search: URLSearchParams,
  storage: Storage,
  now: number,
): boolean {
  if (!auto_redirect || Object.keys(providers).length !== 1) return false;
  if (search.has("error") || search.has("signed_out")) return false;
  const before = Number(storage.getItem(KEY) ?? 0);
  if (now - before < LOOP) return false;
  storage.setItem(KEY, String(now));
  return true;
}
