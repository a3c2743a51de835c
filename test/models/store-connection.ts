import { newId } from "../../src/lib/id.ts";
import { normalizeBaseUrl } from "../../src/models/connections/base-url.ts";
import { sealHeaders } from "../../src/models/connections/open-connection.ts";
import type { NewConnection } from "../../src/models/connections/schema.ts";
import { connections } from "../../src/models/connections/tables.ts";
import type { World } from "../world.ts";

let made = 0;

/** A connection of which the service knows nothing yet: over the API its provider would have been asked already. */
export async function storeConnection(
  world: World,
  values: Partial<NewConnection> & { base_url: string },
): Promise<string> {
  const {
    kind = "openai",
    name = "",
    base_url,
    key = "",
    headers = {},
    prefix_id = "",
    model_ids = [],
    tags = [],
    enabled = true,
  } = values;
  const id = newId();
  const now = world.services.now();
  await world.db.insert(connections).values({
    id,
    kind,
    name: name || new URL(base_url).host,
    baseUrl: normalizeBaseUrl(kind, base_url)!,
    sealedKey: key === "" ? null : await world.services.vault.seal(key),
    sealedHeaders: await sealHeaders(world.services.vault, headers),
    prefixId: prefix_id,
    modelIds: model_ids,
    tags,
    enabled,
    // Their order is the one in which they are stored, however fast that is.
    createdAt: made++,
    updatedAt: now,
  });
  return id;
}
