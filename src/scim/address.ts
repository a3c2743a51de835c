import ipaddr from "ipaddr.js";

/**
 * Whether the caller's address, as reported by the proxy, is in one of the ranges. Of a list (`X-Forwarded-For`) the
 * last entry counts, because the proxy adds it and the caller can forge those before it. A missing address is in no
 * range.
 */
export function isAllowedAddress(header: string | null, ranges: readonly string[]): boolean {
  const address = parseAddress(header?.split(",").at(-1)?.trim() ?? "");
  return address !== undefined && ranges.some((range) => contains(range, address));
}

type Address = ReturnType<typeof ipaddr.process>;

/** Takes a port along (`192.0.2.1:4711`, `[2001:db8::1]:4711`): some proxies write it. */
function parseAddress(text: string): Address | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined;
}

function contains(range: string, address: Address): boolean {
  if (!range.includes("/")) return ipaddr.process(range).toNormalizedString() === address.toNormalizedString();
  const [network, bits] = ipaddr.parseCIDR(range);
  return network.kind() === address.kind() && address.match(network, bits);
}
