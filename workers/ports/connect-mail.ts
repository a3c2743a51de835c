import { connect } from "cloudflare:sockets";
import type { ConnectMail } from "../../src/ports.ts";
import type { Env } from "../env.ts";

/** As the runtime names how a socket is encrypted. */
const transports = { tls: "on", starttls: "starttls", none: "off" } as const;

/**
 * The way to the mail server. On one machine `connect` of the runtime goes through the egress Worker, which takes requests only;
 * `TRUSTED` leads to every address, as for other addresses that administrators set.
 */
export function createConnectMail({ TRUSTED }: Pick<Env, "TRUSTED">): ConnectMail {
  return ({ host, port, security }) => {
    const address = { hostname: host, port };
    const options = { secureTransport: transports[security], allowHalfOpen: false };
    return TRUSTED ? TRUSTED.connect(address, options) : connect(address, options);
  };
}
