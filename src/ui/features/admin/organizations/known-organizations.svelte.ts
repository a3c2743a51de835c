import { type Resource, resource } from "../../../lib/resource.svelte.ts";
import { listOrganizations, type Organization } from "./organizations.ts";

/** What was listed last, so that the next page stands at once as it will stay. */
let last: Organization[] | undefined;

/**
 * The organizations there are, for pages that are about something else.
 *
 * As long as there is only the default one, no page but the one of the organizations themselves mentions them: a team that
 * does not need them never has to learn the word. Organization administrators are told their own one only, so for them too
 * nothing is mentioned.
 */
export class KnownOrganizations {
  readonly list: Resource<Organization[]>;
  readonly several = $derived.by(() => (this.list.data?.length ?? 0) > 1);

  constructor(list: Resource<Organization[]>) {
    this.list = list;
  }

  /** Whether it is known if the pages mention organizations. If that cannot be loaded, they do not. */
  get settled(): boolean {
    return this.list.data !== undefined || this.list.error !== undefined;
  }

  /** The name of an organization; its id when it is not known. */
  nameOf(id: string): string {
    return this.list.data?.find((organization) => organization.id === id)?.name ?? id;
  }
}

/** Call while a component is set up. */
export function knownOrganizations(): KnownOrganizations {
  const list = resource(async (signal) => {
    last = await listOrganizations(signal);
    return last;
  });
  list.data = last;
  return new KnownOrganizations(list);
}
