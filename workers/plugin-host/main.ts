import type { EgressProps } from "./egress.ts";
import type { HostEnv } from "./env.ts";
import { endIsolate, HostSession, warmIsolates } from "./host-session.ts";

export { Egress } from "./egress.ts";
export { PythonFiles } from "./python-files.ts";

/** What this module exports besides the handler, as bindings to itself. */
interface Exports {
  Egress(options: { props: EgressProps }): Fetcher;
  PythonFiles(options: { props: object }): Fetcher;
}

/** Ends isolates that nobody has used for so many ms, and answers when their memory is free. */
async function rest(env: HostEnv, unusedMs: number): Promise<Response> {
  const ending: Promise<unknown>[] = [];
  const ended = warmIsolates.endUnused(
    unusedMs,
    endIsolate(env, (work) => ending.push(work)),
  );
  await Promise.all(ending);
  return Response.json({ ended });
}

/** The plugin host. Only the service and the launcher can reach it. */
export default {
  fetch(request, env, execution) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/ping") return new Response("pong");
    const waitUntil = (work: Promise<unknown>) => execution.waitUntil(work);
    if (pathname === "/rest" && request.method === "POST") return rest(env, Number(searchParams.get("unused")));
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") return new Response(null, { status: 426 });
    const { 0: client, 1: server } = new WebSocketPair();
    const { Egress, PythonFiles } = (execution as unknown as { exports: Exports }).exports;
    const network = (props: EgressProps) => (props.hosts.length > 0 ? Egress({ props }) : null);
    const PYTHON_FILES = PythonFiles({ props: {} });
    new HostSession({ ...env, PYTHON_FILES }, server, network, waitUntil).listen();
    return new Response(null, { status: 101, webSocket: client });
  },
} satisfies ExportedHandler<HostEnv>;
