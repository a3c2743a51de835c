import { createServer } from "node:net";
import { StartError } from "./say.ts";

/** A TCP port on 127.0.0.1 that nobody listens on now. Another process may still take it: callers try again. */
export async function findFreePort(): Promise<number> {
  return listenOnce("127.0.0.1", 0);
}

/**
 * The port to serve on: the one asked for, or a free one for 0.
 * @throws StartError when it is taken, may not be used, or the host is not of this machine
 */
export async function claimPort(host: string, port: number): Promise<number> {
  try {
    return await listenOnce(host, port);
  } catch (error) {
    throw explainListenError(error, host, port);
  }
}

/** What a person can do about a failed `listen`, as a StartError; other errors come back as they are. */
export function explainListenError(error: unknown, host: string, port: number): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new StartError(
        `Port ${port} on ${host} is in use by another program. Stop it, or choose another port: PORT=${port + 1} npm start`,
      );
    case "EACCES":
      return new StartError(`PORT is ${port}, which this user may not use. Choose a port from 1024 upwards.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new StartError(
        `HOST is "${host}", which is not an address of this machine. Use 127.0.0.1 for this machine only, or 0.0.0.0 for all network interfaces.`,
      );
    default:
      return error;
  }
}

function listenOnce(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : port));
    });
  });
}
