/** The path below which people reach the service, as its public address has it: `/parley`, or nothing. */
export function basePathOf(publicOrigin: string): string {
  return URL.parse(publicOrigin)?.pathname.replace(/\/+$/, "") ?? "";
}

/** An address inside the service, such as `/sign-in`, as browsers must ask for it; others stay as they are. */
export function inBase({ origin }: { origin: string }, address: string): string {
  return /^\/(?!\/)/.test(address) ? basePathOf(origin) + address : address;
}

/**
 * The address of a request as the service's routes have it.
 * @param base as in BASE_PATH
 * @returns undefined if it is not below the base path
 */
export function withoutBase(address: string, base: string): string | undefined {
  const [, origin, path] = /^([a-z]+:\/\/[^/?#]+)(.*)$/is.exec(address) ?? [];
  if (origin === undefined || !path?.startsWith(base)) return undefined;
  const rest = path.slice(base.length);
  if (rest !== "" && !/^[/?#]/.test(rest)) return undefined;
  return origin + (rest.startsWith("/") ? rest : `/${rest}`);
}
