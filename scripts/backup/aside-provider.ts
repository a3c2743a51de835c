import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export const asideModel = "backup-check";
export const asideWord = "pong";

/** Answers in place of every provider, for an instance that stands aside. It has one model, which says one word. */
export async function startAsideProvider(): Promise<{ address: string; stop(): void }> {
  const server = createServer((request, response) => {
    request.resume();
    const answer = answers.find(([path]) => request.url?.endsWith(path))?.[1];
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { error: { message: "Nothing leaves a copy that is tried out." } }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

const answers: readonly (readonly [path: string, answer: object])[] = [
  ["/models", { object: "list", data: [{ id: asideModel, object: "model", owned_by: "parley" }] }],
  [
    "/chat/completions",
    {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model: asideModel,
      choices: [{ index: 0, message: { role: "assistant", content: asideWord }, finish_reason: "stop" }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    },
  ],
];
