import { settings } from "../../../src/db/tables.ts";
import type { ModelEntry } from "../../../src/models/catalog/schema.ts";
import type { DirectConnectionList, DirectConnectionView } from "../../../src/models/direct-connections/schema.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { startProvider, talking, type Provider } from "../provider.ts";

export const base = "/api/v1/users/user/connections";
export const key = "sk-private-0123456789abcdef";

export interface Problem {
  code: string;
  detail: string;
  issues?: { path: string; message: string }[];
}

/** A service where direct connections are on, one provider of its own, and one that Ada pays for. */
export interface DirectWorld {
  world: World;
  service: Provider;
  provider: Provider;
  ada: Person;
  bo: Person;
  connect(values?: Record<string, unknown>, as?: Person): Promise<DirectConnectionView & Problem>;
  listed(as?: Person): Promise<ModelEntry[]>;
  own(as?: Person): Promise<DirectConnectionList>;
  ask(model: string, as?: Person): Promise<{ status: number; body: Record<string, unknown> & Problem }>;
  set(name: string, value: unknown): Promise<void>;
  close(): Promise<void>;
}

export async function directWorld(): Promise<DirectWorld> {
  const [service, provider] = [await startProvider(talking("tide")), await startProvider(talking("tide", "reef"))];
  const world = await createWorld({
    environment: { OPENAI_API_BASE_URLS: `${service.origin}/v1`, OUTBOUND_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" },
  });
  const [ada, bo] = [await world.person({ name: "Ada" }), await world.person({ name: "Bo" })];
  const set: DirectWorld["set"] = async (name, value) => {
    await world.db
      .insert(settings)
      .values({ name, value, updatedAt: 0 })
      .onConflictDoUpdate({ target: settings.name, set: { value } });
  };
  await set("ENABLE_DIRECT_CONNECTIONS", true);
  return {
    world,
    service,
    provider,
    ada,
    bo,
    set,
    connect: async (values = {}, as = ada) =>
      (
        await world.call<DirectConnectionView & Problem>(base, {
          as,
          json: { base_url: `${provider.origin}/v1`, key, prefix_id: "mine", ...values },
        })
      ).body,
    listed: async (as = ada) => (await world.call<{ data: ModelEntry[] }>("/api/models", { as })).body.data,
    own: async (as = ada) => (await world.call<DirectConnectionList>(base, { as })).body,
    ask: (model, as = ada) =>
      world.call("/api/chat/completions", { as, json: { model, messages: [{ role: "user", content: "Ahoy" }] } }),
    async close() {
      await world.close();
      await Promise.all([service.close(), provider.close()]);
    },
  };
}
