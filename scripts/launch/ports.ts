import { createServer } from "node:net";
import { StartError } from "./start-error.ts";

/** A free TCP port on 127.0.0.1. Another process may still take it, so callers retry. */
export async function findFreePort(): Promise<number> {
  const { port, release } = await hold("127.0.0.1", 0);
  await release();
  return port;
}

/** A port that nobody else gets until it is released, right before somebody serves on it. Callers are turned away until then. */
export interface HeldPort {
  port: number;
  release(): Promise<void>;
}

/**
 * The port to serve on: the requested one, or a free one for 0.
 * @throws StartError if it is taken, not allowed, or the host is not this machine's
 */
export async function claimPort(host: string, port: number): Promise<HeldPort> {
  try {
    return await hold(host, port);
  } catch (error) {
    throw explainListenError(error, host, port);
  }
}

/** Explains a failed `listen` as a StartError with advice; other errors are returned unchanged. */
export function explainListenError(error: unknown, host: string, port: number): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new StartError(
        `Port ${port} on ${host} is in use by another program. Stop it, or choose another port: PORT=${port + 1} npm start`,
        "unavailable",
      );
    case "EACCES":
      return new StartError(
        `PORT is ${port}, which this user may not use. Choose a port from 1024 upwards.`,
        "noPermission",
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new StartError(
        `HOST is "${host}", which is not an address of this machine. Use 127.0.0.1 for this machine only, or 0.0.0.0 for all network interfaces.`,
        "configuration",
      );
    default:
      return error;
  }
}

function hold(host: string, port: number): Promise<HeldPort> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.unref();
      const address = server.address();
      resolve({
        port: typeof address === "object" && address !== null ? address.port : port,
        release: () => new Promise((released) => server.close(() => released())),
      });
    });
  });
}
