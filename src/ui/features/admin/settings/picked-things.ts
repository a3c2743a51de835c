import { listConnections, nameOf } from "../connections/connections.ts";
import { listGroups } from "../groups/groups.ts";
import { listAllStored, listProvided } from "../models/models.ts";
import { listOrganizations } from "../organizations/organizations.ts";
import type { Setting } from "./settings.ts";

export interface Thing {
  id: string;
  name: string;
}
export type ThingKind = NonNullable<Setting["picks"]>["what"];

/** Of a call that nobody cancels. */
const never = new AbortController().signal;

const named = ({ id, name }: { id: string; name?: string | undefined }): Thing => ({ id, name: name || id });

/** What there is of each kind that a setting may hold the id of. */
export const listThings: Record<ThingKind, (signal?: AbortSignal) => Promise<Thing[]>> = {
  // Those that were made here come first: they are what people are offered by name.
  model: async (signal) => {
    const [{ models }, stored] = await Promise.all([listProvided(signal), listAllStored("", signal ?? never)]);
    const made = stored.filter((model) => model.base_model_id !== null);
    return [...made, ...models].map(named);
  },
  group: async (signal) => (await listGroups(signal)).map(named),
  organization: async (signal) => (await listOrganizations(signal)).map(named),
  connection: async (signal) => (await listConnections(signal)).map((one) => ({ id: one.id, name: nameOf(one) })),
};
