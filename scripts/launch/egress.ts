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
