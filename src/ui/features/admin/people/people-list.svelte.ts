import { joinById, type Paged, paged } from "../paged.svelte.ts";
import type { PeoplePage } from "./people.ts";

/** A list of people that goes on. @param find one page; called while a component is set up, see `paged` */
export function peopleList(
  find: (cursor: string | undefined, signal?: AbortSignal) => Promise<PeoplePage>,
): Paged<PeoplePage> {
  return paged(find, (page, next) => ({ ...next, users: joinById(page.users, next.users) }));
}
