/** The queues of wrangler.toml, by their bindings. */
export const queueBindings = {
  EXTRACT_QUEUE: "parley-extract",
  EMBED_QUEUE: "parley-embed",
  WEBHOOK_QUEUE: "parley-webhooks",
} as const;

/**
 * The Worker behind the service's queues on one machine. Miniflare's own queue delivers one message after the other, so
 * that a long document would delay all others; here each message is delivered immediately and separately, as real
 * queues do. Lost messages are found by the timer: a message only says that there is work.
 */
export const queueScript = `import { WorkerEntrypoint } from "cloudflare:workers";
${Object.entries(queueBindings)
  .map(
    ([binding, queue]) => `export class ${binding} extends WorkerEntrypoint {
  send(body, options) {
    this.ctx.waitUntil(deliver(this.env.SERVICE, "${queue}", body, options?.delaySeconds ?? 0));
  }
}
`,
  )
  .join("")}
async function deliver(service, queue, body, delay) {
  if (delay > 0) await scheduler.wait(delay * 1000);
  await service.queue(queue, [{ id: crypto.randomUUID(), timestamp: new Date(), body, attempts: 1 }]);
}
export default { fetch: () => new Response(null, { status: 404 }) };
`;
