import { createServer } from "node:http";
import type { MachineFigures } from "../../../src/metrics/machine-figures.ts";
import { complain } from "../say.ts";

/**
 * Where LAUNCHER points: tells the service what the launcher knows, for /metrics. It is a socket in a folder that only this
 * user may enter.
 */
export function startFiguresServer(socketPath: string, read: () => Promise<MachineFigures>): Promise<void> {
  const server = createServer((request, response) => {
    request.resume();
    read().then(
      (figures) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(figures)),
      (error: unknown) => {
        complain(`The numbers of this machine could not be read: ${(error as Error).message}`);
        response.writeHead(500).end();
      },
    );
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketPath, () => resolve());
    server.unref();
  });
}
