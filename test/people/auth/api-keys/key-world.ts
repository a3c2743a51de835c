import { createWorld, type Person, type World, type WorldOptions } from "../../../world.ts";

/** A world in which everyone may have keys. */
export async function createKeyWorld(environment: Record<string, string> = {}, options: WorldOptions = {}) {
  return createWorld({
    ...options,
    environment: { ENABLE_API_KEYS: "true", USER_PERMISSIONS_FEATURES_API_KEYS: "true", ...environment },
  });
}

export interface MadeKey {
  id: string;
  name: string;
  api_key: string;
  created_at: number;
}

/** A key made over the API. */
export async function makeKey(world: World, person: Person, name?: string): Promise<MadeKey> {
  const { status, body } = await world.call<MadeKey>("/api/v1/auths/api_key", { as: person, json: { name } });
  if (status !== 200) throw new Error(`making a key answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** The ways to send a credential. */
export const transports = {
  bearer: (token: string) => ({ authorization: `Bearer ${token}` }),
  header: (token: string) => ({ "x-api-key": token }),
  cookie: (token: string) => ({ cookie: `token=${token}` }),
};
