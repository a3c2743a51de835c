import { WorkerEntrypoint } from "cloudflare:workers";
import { createGuardedFetch } from "../../src/http/guarded-fetch.ts";
import type { HostEnv } from "./env.ts";
import { hostMatches } from "./host-matches.ts";

/** The network of one plugin, where it has any: the hosts of its list, through the same guard as all other foreign addresses. */
export class Egress extends WorkerEntrypoint<HostEnv, { hosts: readonly string[] }> {
  override async fetch(request: Request): Promise<Response> {
    const { TRUSTED, OUTBOUND_ALLOWED_PRIVATE_HOSTS = "" } = this.env;
    const { hosts } = this.ctx.props;
    // Every hop of a redirect passes here, for the guard follows redirects itself.
    const listed =
      (way: typeof fetch): typeof fetch =>
      async (input) => {
        const hop = input as Request;
        const url = new URL(hop.url);
        if (!hostMatches(url, hosts)) throw new Error(`This plugin is not allowed to reach ${url.host}`);
        try {
          return await way(hop);
        } catch {
          throw new Error(`${url.host} cannot be reached`);
        }
      };
    const open = listed((input) => fetch(input as Request));
    const trusted = TRUSTED ? listed((input) => TRUSTED.fetch(input as Request)) : open;
    const allowed = OUTBOUND_ALLOWED_PRIVATE_HOSTS.split(",").map((entry) => entry.trim());
    try {
      return await createGuardedFetch(open, trusted, allowed)(request);
    } catch (error) {
      // Other classes of errors do not cross into the isolate well.
      throw new Error((error as Error).message, { cause: error });
    }
  }
}
