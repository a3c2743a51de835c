import { hostname, networkInterfaces } from "node:os";
import { canonicalAddress, isLoopback } from "./addresses.ts";

/** Whether the service answers for a name or address. Takes what a Host header has. */
export type HostRule = (host: string) => boolean;

/**
 * What ALLOWED_HOSTS and WEBUI_URL name, and the names that always mean this machine, which scripts and monitors here
 * use. Without both settings, a service for this machine only answers for its names: any page could otherwise point a
 * name of its own at it and read everything (DNS rebinding).
 * @param allowed host names, `*.name` for all below it, `*` for all
 * @param listensOn the address of the public socket
 */
export function hostRule(allowed: readonly string[], publicUrl: string, listensOn: string): HostRule {
  const names = allowed.map(nameOf);
  if (publicUrl !== "" && URL.canParse(publicUrl)) names.push(nameOf(new URL(publicUrl).host));
  if (names.length === 0) {
    if (listensOn !== "localhost" && !isLoopback(listensOn)) return () => true;
    const own = Object.values(networkInterfaces()).flatMap((each) =>
      (each ?? []).map(({ address }) => nameOf(address)),
    );
    names.push(nameOf(hostname()), ...own);
  }
  names.push("localhost", "*.localhost");
  return (host) => isLoopback(nameOf(host)) || isNamed(nameOf(host), names);
}

function isNamed(name: string, names: readonly string[]): boolean {
  return names.some((each) => each === "*" || each === name || (each.startsWith("*.") && name.endsWith(each.slice(1))));
}

/** Without port, brackets and the dot at the end; addresses in one form. */
function nameOf(host: string): string {
  const bare = /^\[([^\]]*)\]/.exec(host)?.[1] ?? /^[^:]*(?=:\d*$)/.exec(host)?.[0] ?? host;
  return canonicalAddress(bare) ?? bare.toLowerCase().replace(/\.$/, "");
}
