/**
 * IPv6 networks whose addresses have IPv4 addresses in them, which a gateway may unwrap: IPv4-compatible, NAT64, Teredo,
 * 6to4. For names that resolve to them; workerd counts them as public.
 */
export const embeddingNetworks = ["::/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16"];
