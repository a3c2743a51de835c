import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ReturnType<typeof ipaddr.process>;
type Range = [Address, number];

const loopback: readonly Range[] = [ipaddr.parseCIDR("127.0.0.0/8"), ipaddr.parseCIDR("::1/128")];

/** Whether an address is in one of some ranges. Takes IPv4 in the form of IPv6 too, as sockets for both write it. */
export type IsIn = (address: string) => boolean;

export const isLoopback: IsIn = (address) => contains(loopback, address);

/**
 * @param names addresses, CIDR ranges, and `loopback` for this machine
 * @throws Error with the name that is none of them
 */
export function addressesIn(names: readonly string[]): IsIn {
  const ranges = names.flatMap((name) => (name.toLowerCase() === "loopback" ? loopback : [parseRange(name)]));
  return (address) => contains(ranges, address);
}

function parseRange(name: string): Range {
  if (ipaddr.isValidCIDR(name)) return ipaddr.parseCIDR(name);
  if (isIP(name) === 0) throw new Error(name);
  const address = ipaddr.process(name);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

function contains(ranges: readonly Range[], text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** One form for each address: IPv4 in the form of IPv6 as IPv4. Undefined if it is none. */
export function canonicalAddress(text: string): string | undefined {
  // Some proxies write the port with it.
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare).toString();
}

/** What one customer of a network has: an IPv4 address, or the first half of an IPv6 address. */
export function addressHolder(text: string): string {
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(":") : address.toString();
}
