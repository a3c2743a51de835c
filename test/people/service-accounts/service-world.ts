import type { MadeServiceKey } from "../../../src/people/service-accounts/schema.ts";
import type { ListedUser } from "../../../src/people/users/schema.ts";
import type { Person, World } from "../../world.ts";

/** A service account made over the API. */
export async function makeService(world: World, as: Person, values: object = {}): Promise<ListedUser> {
  const json = { name: "Probe", ...values };
  const { status, body } = await world.call<ListedUser>("/api/v1/users/service_accounts", { as, json });
  if (status !== 200) throw new Error(`making a service account answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** A key of it, made over the API. */
export async function makeServiceKey(
  world: World,
  as: Person,
  userId: string,
  values: object = {},
): Promise<MadeServiceKey> {
  const { status, body } = await world.call<MadeServiceKey>(`/api/v1/users/${userId}/api_keys`, { as, json: values });
  if (status !== 200) throw new Error(`making its key answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
