import { mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureWorker } from "../../../scripts/launch/build.ts";
import { Guard } from "../../../scripts/launch/guard.ts";
import { compileHostConfig } from "../../../scripts/launch/plugins/host-config.ts";
import { PluginPool, type PoolOptions, usualWarmIsolates } from "../../../scripts/launch/plugins/plugin-pool.ts";
import { startPluginRouter } from "../../../scripts/launch/plugins/plugin-router.ts";
import { ensurePythonAssets } from "../../../scripts/launch/python-assets.ts";
import { pluginHostWorker } from "../../../scripts/launch/topology.ts";
import type { PluginHost } from "../../../src/plugins/plugin-host.ts";
import { createPluginHost } from "../../../workers/ports/plugin-host-client.ts";

export interface StartedHost {
  /** As the service has it. */
  host: PluginHost;
  pool: PluginPool;
  stop(): Promise<void>;
}

/** The real plugin host as `npm start` runs it, without the service: processes, router, and the client that the service uses. */
export async function startHost(
  options: Partial<PoolOptions> & { allowedPrivateHosts?: string; python?: boolean } = {},
): Promise<StartedHost> {
  const assets = options.python ? await ensurePythonAssets() : undefined;
  const folder = mkdtempSync(path.join(tmpdir(), "parley-plugins-"));
  const guard = new Guard(path.join(folder, "children"), folder);
  const worker = await ensureWorker(pluginHostWorker);
  const pool = new PluginPool({
    folder,
    guard,
    configuration: () =>
      compileHostConfig({
        worker,
        assets,
        scratch: folder,
        allowedPrivateHosts: options.allowedPrivateHosts ?? "",
        warmIsolates: options.warmIsolates ?? usualWarmIsolates,
        extraAuthorities: undefined,
      }),
    ...options,
  });
  const socketPath = path.join(folder, "plugins.sock");
  const router = await startPluginRouter(socketPath, pool);
  // Node's own WebSocket knows no Unix sockets.
  const bridge = createServer((caller) => {
    const there = connect(socketPath);
    caller.pipe(there).pipe(caller);
    caller.on("error", () => there.destroy());
    there.on("error", () => caller.destroy());
  });
  await new Promise<void>((resolve) => bridge.listen(0, "127.0.0.1", resolve));
  const { port } = bridge.address() as { port: number };
  const fetcher = {
    fetch: (url: string) => upgrade(`127.0.0.1:${port}`, url.slice(new URL(url).origin.length)),
  } as unknown as Fetcher;
  return {
    host: createPluginHost({ PLUGIN_HOST: fetcher }, { fetch, token: "" }),
    pool,
    async stop() {
      bridge.close();
      router.close();
      pool.stop();
      await Promise.all(pool.processes.map(({ ended }) => ended));
      guard.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What `fetch` answers to an upgrade inside a Worker. */
export async function upgrade(host: string, pathname: string, given: Record<string, string> = {}): Promise<object> {
  // Node's own takes headers too, which browsers do not.
  const socket = new WebSocket(`ws://${host}${pathname}`, { headers: given } as unknown as string[]);
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.addEventListener("open", () => resolve(true));
    socket.addEventListener("error", () => resolve(false));
  });
  if (isOpen) return { webSocket: Object.assign(socket, { accept: () => undefined }), status: 101 };
  return new Promise((resolve, reject) => {
    const headers = {
      ...given,
      connection: "upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    };
    get(`http://${host}${pathname}`, { headers }, (response) => {
      response.resume();
      const status = response.statusCode;
      resolve({
        webSocket: null,
        body: null,
        status,
        headers: new Headers(response.headers as Record<string, string>),
      });
    })
      // It would be taken now: what was asked for is told as it was then.
      .on("upgrade", (_response, socket) => {
        socket.destroy();
        resolve({ webSocket: null, body: null, status: 502, headers: new Headers() });
      })
      .on("error", reject);
  });
}
