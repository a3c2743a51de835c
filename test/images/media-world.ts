import { afterAll, beforeAll, beforeEach } from "vitest";
import { type MediaProvider, startMediaProvider } from "../fixtures/media/media-provider.ts";
import { createWorld, type Person, type World } from "../world.ts";

export interface MediaWorld {
  provider: MediaProvider;
  world: World;
  admin: Person;
  ada: Person;
  /** The id of the connection to the provider. */
  connection: string;
  set(values: Record<string, unknown>): Promise<void>;
  /** What the ledger says of an API: model, state, code. */
  ledger(api: string): Promise<unknown[]>;
}

/** A world whose provider makes pictures and speech; all of it is switched on. */
export function useMediaWorld(): MediaWorld {
  const here = {
    async set(values) {
      const answer = await here.world.call("/api/v1/auths/admin/config", { as: here.admin, json: values });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    },
    async ledger(api) {
      await here.world.settled();
      const { rows } = await here.world.client.execute({
        sql: "SELECT model, state, code, total, user_id FROM usage_records WHERE api = ? ORDER BY id",
        args: [api],
      });
      return rows.map((row) => ({ ...row }));
    },
  } as MediaWorld;
  beforeAll(async () => {
    here.provider = await startMediaProvider();
  });
  afterAll(() => here.provider.close());
  beforeEach(async () => {
    Object.assign(here.provider, { requests: [], answer: undefined, says: () => "Here you are." });
    here.world = await createWorld();
    here.admin = await here.world.admin();
    here.ada = await here.world.person();
    const { body } = await here.world.call<{ id: string }>("/api/v1/connections", {
      as: here.admin,
      json: { kind: "openai", name: "Studio", base_url: here.provider.url, key: "sk-studio" },
    });
    here.connection = body.id;
    await here.set({
      ENABLE_IMAGE_GENERATION: true,
      IMAGE_GENERATION_CONNECTION: body.id,
      IMAGE_GENERATION_MODEL: "paint-1",
      ENABLE_IMAGE_PROMPT_GENERATION: false,
    });
    return () => here.world.close();
  });
  return here;
}
