/** Below which path the service is, such as `/parley`; the page says it. */
export const basePath = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? "";

/** Where people reach the service, for addresses that they copy. */
export const publicAddress = (): string => location.origin + basePath;

/** An address of this service such as `/c/0190` as the browser asks for it. Others stay as they are. */
export function at<T extends string | null | undefined>(address: T): T {
  if (!address || basePath === "" || !/^\/(?!\/)/u.test(address) || isBelow(address)) return address;
  return (basePath + address) as T;
}

/** The path of an address of this app, without the base path; undefined outside of it. */
export function insidePath(pathname: string): string | undefined {
  return isBelow(pathname) ? pathname.slice(basePath.length) || "/" : undefined;
}

function isBelow(address: string): boolean {
  return address.startsWith(basePath) && /^(?:$|[/?#])/u.test(address.slice(basePath.length));
}
