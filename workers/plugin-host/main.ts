import type { HostEnv } from "./env.ts";
import { HostSession } from "./host-session.ts";

export { Egress } from "./egress.ts";

/** What this module exports besides the handler, as bindings to itself. */
interface Exports {
  Egress(options: { props: { hosts: readonly string[]; plugin: string } }): Fetcher;
}

/** The plugin host. Only the service and the launcher can reach it. */
export default {
  fetch(request, env, execution) {
    if (new URL(request.url).pathname === "/ping") return new Response("pong");
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") return new Response(null, { status: 426 });
    const { 0: client, 1: server } = new WebSocketPair();
    const { Egress } = (execution as unknown as { exports: Exports }).exports;
    const network = (hosts: readonly string[], plugin: string) =>
      hosts.length > 0 ? Egress({ props: { hosts, plugin } }) : null;
    new HostSession(env, server, network, (work) => execution.waitUntil(work)).listen();
    return new Response(null, { status: 101, webSocket: client });
  },
} satisfies ExportedHandler<HostEnv>;
