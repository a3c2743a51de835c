import { createServer } from "node:http";

/**
 * Replaces the server that Miniflare runs beside workerd. Its simulators report to it (a queue its batches, for
 * instance) and expect no answer; without it workerd logs an error each time.
 */
export function startLoopback(socket: string): Promise<void> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket, () => resolve());
    server.unref();
  });
}
