import { vi } from "vitest";
import { runJobs } from "../../src/jobs/run-jobs.ts";
import type { DeliveryDetail, DeliveryPage, EndpointView, WhoseEndpoint } from "../../src/webhooks/schema.ts";
import { createMemoryJobs } from "../memory-jobs.ts";
import { createWorld, type Person, type World } from "../world.ts";
import { type Receiver, startReceiver } from "./start-receiver.ts";

export interface WebhookWorld extends World {
  receiver: Receiver;
  /** What the queue was told, now and for later. */
  jobs: ReturnType<typeof createMemoryJobs>;
  /** Does what is due. */
  deliver(): Promise<void>;
  /** Sends the clock on to when the only delivery that waits is due, and does it. @returns milliseconds from the last attempt */
  deliverNext(): Promise<number>;
  /** Moves the clock, milliseconds. */
  pass(milliseconds: number): void;
  endpoint(whose: WhoseEndpoint, as: Person): Promise<EndpointView>;
  deliveries(whose: WhoseEndpoint, as: Person): Promise<DeliveryDetail[]>;
  secret(whose: WhoseEndpoint, as: Person): Promise<string>;
}

/** A world with a real receiver that may be called, and a clock that can be moved; the service's webhook goes there. */
export async function createWebhookWorld(environment: Record<string, string> = {}): Promise<WebhookWorld> {
  const receiver = await startReceiver();
  const jobs = createMemoryJobs();
  const world = await createWorld({
    environment: { OUTBOUND_ALLOWED_PRIVATE_HOSTS: "127.0.0.1", ...environment },
    services: { jobs },
  });
  const deliver = () => runJobs(world.services, "deliver");
  const pass = (milliseconds: number) => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
  return {
    ...world,
    receiver,
    jobs,
    deliver,
    async deliverNext() {
      const { rows } = await world.client.execute(`
        SELECT max(coalesce(d.next_attempt_at, 0), coalesce(e.paused_until, 0)) AS due,
          (SELECT max(started_at + duration) FROM webhook_attempts) AS last, (SELECT max(due_at) FROM jobs WHERE kind = 'deliver') AS jobDue
        FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id WHERE d.state = 'pending'`);
      const { due, last, jobDue } = rows[0]! as unknown as { due: number; last: number; jobDue: number };
      // Jobs are due later than what they deliver: they count the time from their end.
      pass(Math.max(due, jobDue, Date.now()) - Date.now());
      await deliver();
      return due - last;
    },
    pass,
    endpoint: async (whose, as) => (await world.call<EndpointView>(`/api/v1/webhooks/${whose}`, { as })).body,
    async deliveries(whose, as) {
      const base = `/api/v1/webhooks/${whose}/deliveries`;
      const { body } = await world.call<DeliveryPage>(base, { as });
      return Promise.all(
        body.deliveries.map(async ({ id }) => (await world.call<DeliveryDetail>(`${base}/${id}`, { as })).body),
      );
    },
    secret: async (whose, as) =>
      (await world.call<{ secret: string }>(`/api/v1/webhooks/${whose}/secret`, { as })).body.secret,
    async close() {
      vi.useRealTimers();
      await world.close();
      await receiver.close();
    },
  };
}
