import { WorkerEntrypoint } from "cloudflare:workers";
import { AppError } from "../../src/errors.ts";
import { createGuardedFetch } from "../../src/http/guarded-fetch.ts";
import { anyHost } from "../../src/plugins/hosts.ts";
import type { HostEnv } from "./env.ts";
import { hostMatches } from "./host-matches.ts";
import { fetchMetered } from "./metered-fetch.ts";
import { relaySocket } from "./relay-socket.ts";
import { meterOf } from "./traffic-meter.ts";

export interface EgressProps {
  hosts: readonly string[];
  plugin: string;
  /** Name of the isolate: what stays open ends with its calls. */
  isolate: string;
}

/**
 * The network of a plugin, if it has any: the hosts of its list, through the same guard as all other foreign addresses.
 */
export class Egress extends WorkerEntrypoint<HostEnv, EgressProps> {
  override async fetch(request: Request): Promise<Response> {
    const { TRUSTED, OUTBOUND_ALLOWED_PRIVATE_HOSTS = "" } = this.env;
    const { hosts, plugin, isolate } = this.ctx.props;
    const meter = meterOf(plugin);
    // Every hop of a redirect passes here, for the guard follows redirects itself.
    const listed =
      (way: typeof fetch, isPublic: boolean): typeof fetch =>
      async (input) => {
        const hop = input as Request;
        const url = new URL(hop.url);
        if (!hostMatches(url, hosts) && !(isPublic && hosts.includes(anyHost))) {
          meter.refuse(url.host);
          throw new Error(`This plugin is not allowed to reach ${url.host}`);
        }
        const reach = async (input: RequestInfo | URL) => {
          try {
            return await way(input);
          } catch {
            throw new Error(`${url.host} cannot be reached`);
          }
        };
        return fetchMetered(meter, reach as typeof fetch, hop);
      };
    const open = listed((input) => fetch(input as Request), true);
    const trusted = TRUSTED ? listed((input) => TRUSTED.fetch(input as Request), false) : open;
    const allowed = OUTBOUND_ALLOWED_PRIVATE_HOSTS.split(",").map((entry) => entry.trim());
    try {
      const response = await createGuardedFetch(open, trusted, allowed)(request);
      return response.webSocket ? relaySocket(response, { meter, isolate, host: new URL(request.url).host }) : response;
    } catch (error) {
      // Other classes of errors do not cross into the isolate well.
      const { message } = error as Error;
      // After a redirect it is another host than the request's.
      const refused = /^(\S+) is not a public address$/.exec(message)?.[1] ?? new URL(request.url).host;
      if (error instanceof AppError) meter.refuse(refused);
      const hint = message.endsWith("is not a public address")
        ? `${message}. The operator of the service can allow it with OUTBOUND_ALLOWED_PRIVATE_HOSTS`
        : message;
      throw new Error(hint, { cause: error });
    }
  }
}
