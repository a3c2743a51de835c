import { type Client, createClient } from "@libsql/client/web";
import { HranaSocket } from "../../workers/database/hrana/hrana-socket.ts";
import { pipelineAnswer, readPipeline } from "../../workers/database/hrana/pipeline.ts";
import { StreamPool } from "../../workers/database/hrana/stream-pool.ts";

/** A client of sqld as the service has one: its work goes over a few streams that stay open. @param url `http:` */
export async function createStreamClient(url: string): Promise<Client> {
  // Writers that wait inside sqld can stand still, so there is one.
  const [reads, writes] = await Promise.all([openPool(url, 4), openPool(url, 1)]);
  const client = createClient({
    url,
    fetch: async (request: Request) => {
      const work = readPipeline(await request.clone().text());
      const outcome = work && (await (work.writes ? writes : reads).pool.run(work.request));
      if (!outcome) return fetch(request);
      return new Response(pipelineAnswer(work, outcome), { headers: { "content-type": "application/json" } });
    },
  });
  const close = client.close.bind(client);
  return Object.assign(client, {
    close() {
      for (const { socket } of [reads, writes]) socket.close();
      close();
    },
  });
}

async function openPool(url: string, streams: number) {
  const socket = new WebSocket(url.replace(/^http/, "ws"), "hrana2");
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error(`${url} does not speak Hrana`)));
  });
  // Node's own, which has what the connection needs.
  return { socket, pool: new StreamPool(new HranaSocket(socket as unknown as WebSocket, undefined), streams) };
}
