import type { PluginFailure } from "../../src/plugins/plugin-host.ts";
import { closeCodes } from "./frames.ts";

/** Where plugins run: the plugin host, or a native runner. */
export interface HostWay {
  fetch(address: string, init: RequestInit): Promise<Response>;
}

/**
 * @param name of the host, as the beginning of a sentence
 * @param plugin `describe` for descriptions
 * @param version key of the isolate: the launcher uses it to know what a process holds
 * @param wall plugins with the same one may share a process; none: it is not shared on purpose
 * @returns the accepted socket, or why there is none
 */
export async function openSocket(
  host: HostWay,
  name: string,
  plugin: string,
  version: string,
  wall?: string,
): Promise<WebSocket | PluginFailure> {
  const query = new URLSearchParams({ version, ...(wall === undefined ? {} : { wall }) });
  let response: Response;
  try {
    response = await host.fetch(`http://plugin-host/${encodeURIComponent(plugin)}?${query}`, {
      headers: { upgrade: "websocket" },
    });
  } catch {
    return { code: "unavailable", message: `${name} cannot be reached` };
  }
  const { webSocket } = response;
  if (webSocket) {
    webSocket.binaryType = "arraybuffer";
    webSocket.accept();
    return webSocket;
  }
  await response.body?.cancel();
  if (response.status === 401)
    return {
      code: "unavailable",
      message: `${name} refuses the token of this service: RUNNER_TOKEN must be the same for both`,
    };
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  if (response.status !== 503 || !Number.isFinite(retryAfter)) {
    return { code: "unavailable", message: `${name} returned status ${response.status}` };
  }
  const message = `It was stopped several times and is paused for ${retryAfter} seconds`;
  return { code: "paused", message, retryAfter };
}

/** The error for the calls on a socket that has closed. */
export function explainClose({ code, reason }: { code: number; reason: string }): PluginFailure {
  const said = code === closeCodes.stopped && reason;
  if (said) return { code: "stopped", message: said };
  if (code === closeCodes.shared) {
    const message = `${reason}, maybe because of another plugin in the same process. This call had begun to act, so it was not repeated`;
    return { code: "stopped", message };
  }
  // A process that ends in the middle of a frame leaves nobody the room to say why.
  if (code === closeCodes.stopped || code === 1006) {
    return { code: "stopped", message: "It ran too long without a pause, or used too much memory, and was stopped" };
  }
  return { code: "unavailable", message: "The plugin host closed the connection" };
}
