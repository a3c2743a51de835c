import ipaddr from "ipaddr.js";

/** Addresses of IPv4 change, mostly among neighbours. One of IPv6 is one of the very many that a customer has. */
const networkBits = { ipv4: 24, ipv6: 64 };

/** The network of a client's address, for limits: 192.0.2.0/24, or 2001:db8::/64. Other words stand for themselves. */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  const bits = networkBits[parsed.kind()];
  const bytes = parsed.toByteArray().map((byte, index) => (index < bits / 8 ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
}

/** Whether the address is this machine: then it says nothing of who calls, but that a proxy or a script does it from here. */
export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}
