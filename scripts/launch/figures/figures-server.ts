import { createServer } from "node:http";
import { listen } from "../listen.ts";
import { complain } from "../say.ts";

/** What the service may ask the launcher: by method and path, such as `GET /figures`. The answer is sent as JSON. */
export type LauncherAnswers = Readonly<Record<string, () => unknown>>;

/** Where LAUNCHER points. It is a socket in a folder that only this user may enter. */
export async function startFiguresServer(socketPath: string, answers: LauncherAnswers): Promise<void> {
  const server = createServer((request, response) => {
    request.resume();
    const answer = async () => answers[`${request.method} ${request.url}`]?.();
    answer().then(
      (said) =>
        said === undefined
          ? response.writeHead(404).end()
          : response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(said)),
      (error: unknown) => {
        complain(`The launcher could not answer ${request.method} ${request.url}: ${(error as Error).message}`);
        response.writeHead(500).end();
      },
    );
  });
  await listen(server, socketPath);
  server.unref();
}
