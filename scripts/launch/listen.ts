import type { Server } from "node:net";

/** Has a server take connections at a Unix socket. @throws Error of the system if it cannot */
export function listen(server: Server, socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketPath, resolve);
  });
}
