import type { PluginFailure } from "../../src/plugins/plugin-host.ts";
import { closeCodes } from "./frames.ts";

/**
 * @param plugin `describe` for descriptions
 * @param version what an isolate is kept for: the launcher sees by it what a process holds
 * @returns the socket, accepted, or why there is none
 */
export async function openSocket(host: Fetcher, plugin: string, version: string): Promise<WebSocket | PluginFailure> {
  let response: Response;
  try {
    response = await host.fetch(
      `http://plugin-host/${encodeURIComponent(plugin)}?version=${encodeURIComponent(version)}`,
      {
        headers: { upgrade: "websocket" },
      },
    );
  } catch {
    return { code: "unavailable", message: "The plugin host cannot be reached" };
  }
  const { webSocket } = response;
  if (webSocket) {
    webSocket.binaryType = "arraybuffer";
    webSocket.accept();
    return webSocket;
  }
  await response.body?.cancel();
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  if (response.status !== 503 || !Number.isFinite(retryAfter)) {
    return { code: "unavailable", message: `The plugin host returned status ${response.status}` };
  }
  const message = `It was stopped several times and is paused for ${retryAfter} seconds`;
  return { code: "paused", message, retryAfter };
}

/** What the end of a socket means for the calls on it. */
export function explainClose({ code, reason }: { code: number; reason: string }): PluginFailure {
  const said = code === closeCodes.stopped && reason;
  if (said) return { code: "stopped", message: said };
  // A process that ends in the middle of a frame leaves nobody the room to say why.
  if (code === closeCodes.stopped || code === 1006) {
    return { code: "stopped", message: "It ran too long without a pause, or used too much memory, and was stopped" };
  }
  return { code: "unavailable", message: "The plugin host closed the connection" };
}
