/** Set on the answer that stands for a request that was not let out; `reason` of src's outbound guard. */
export const refusalHeader = "x-parley-egress";

/**
 * The Worker behind every plain `fetch` of the service. Its only way out is a network that refuses private, loopback
 * and link-local addresses after names are resolved, so that no name can be pointed at one later. workerd does not tell
 * a refused address from a name that does not exist or a host that does not answer: all are the same 502.
 */
export const egressScript = `export default {
  async fetch(request, env) {
    try {
      return await env.NET.fetch(request);
    } catch {
      return new Response("This address cannot be reached or is not allowed.", {
        status: 502,
        headers: { "${refusalHeader}": "unreachable" },
      });
    }
  },
};
`;

/** The same Worker where nothing may leave at all. */
export const closedEgressScript = `export default {
  fetch: () =>
    new Response("Nothing leaves a copy that is tried out.", { status: 502, headers: { "${refusalHeader}": "unreachable" } }),
};
`;

/** Behind TRUSTED where nothing may leave: the database of this machine, and for all else one address. */
export const asideScript = `export default {
  fetch: (request, env) =>
    (new URL(request.url).origin === env.DATABASE ? env.NET : env.PROVIDER).fetch(request),
};
`;

/**
 * IPv6 networks whose addresses have IPv4 addresses in them, which a gateway may unwrap: IPv4-compatible, NAT64, Teredo,
 * 6to4. For names that resolve to them; workerd counts them as public.
 */
export const embeddingNetworks = ["::/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16"];
