import { AppError } from "../../src/errors.ts";
import type { Described, PluginFailure, PluginPackage } from "../../src/plugins/plugin-host.ts";
import { factsOf, type FrameToService } from "./frames.ts";
import { explainClose, type HostWay, openSocket } from "./open-socket.ts";
import { send, sendPackage } from "./plugin-socket.ts";

/** Longest that a source may take to load, in ms. */
const timeoutMs = 45_000;

/**
 * Describes a source. One that loops or uses too much memory while it loads is reported as a problem of the source.
 * @throws AppError `plugin_unavailable` if the host cannot be reached
 */
export async function describeOverSocket(
  host: HostWay,
  name: string,
  source: string,
  packages: PluginPackage[],
): Promise<Described> {
  const socket = await openSocket(host, name, "describe", "");
  if (!(socket instanceof WebSocket)) return explain(socket);
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      socket.close(1000);
      settle();
    };
    const fail = (failure: PluginFailure) =>
      end(() => {
        try {
          resolve(explain(failure));
        } catch (error) {
          reject(error as Error);
        }
      });
    const message = `It took longer than ${timeoutMs / 1000} seconds`;
    const timer = setTimeout(() => fail({ code: "timeout", message }), timeoutMs);
    socket.addEventListener("close", (event) => fail(explainClose(event)));
    socket.addEventListener("error", () => fail(explainClose({ code: 1006, reason: "" })));
    socket.addEventListener("message", ({ data }) => {
      const frame = JSON.parse(data as string) as FrameToService;
      if (frame.t === "described") end(() => resolve(frame.described));
      if (frame.t === "need-bytes") void sendPackage(socket, packages, frame.sha256);
    });
    send(socket, { t: "describe", source, packages: factsOf(packages) });
  });
}

/** @throws AppError `plugin_unavailable` for what says nothing about the source */
function explain({ code, message, retryAfter }: PluginFailure): Described {
  if (code === "unavailable" || code === "paused") {
    throw new AppError("plugin_unavailable", message, retryAfter === undefined ? {} : { retryAfter });
  }
  const problem = { severity: "error" as const, message: `It could not be loaded: ${message}` };
  return { code: undefined, info: undefined, problems: [problem] };
}
