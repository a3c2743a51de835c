import type { GrantView } from "../../people/grants/schema.ts";
import { texts } from "../components/texts.ts";
import { session } from "./session.svelte.ts";

const words = texts.usedBy;

/** Who uses something that was made and may be shared, in a word. */
export function whoUses(made: { access_grants: readonly GrantView[]; user_id: string | null }): string {
  if (made.access_grants.some((grant) => grant.principal_id === "*")) return words.everyone;
  if (made.access_grants.length > 0) return words.some;
  return made.user_id === session.person?.id ? words.you : words.owner;
}
