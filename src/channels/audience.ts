import { AppError } from "../errors.ts";
import { everyone } from "../people/grants/grant.ts";
import type { ChannelChange } from "./schema.ts";

/** Who is to be in a channel. */
export interface Audience {
  /** Undefined where nothing is said. */
  isPublic: boolean | undefined;
  userIds: string[];
  groupIds: string[];
}

/**
 * What a request says about who is in a channel, in any of the peer's ways.
 * @throws AppError `validation_failed` for grants that channels do not know: only reading, organizations, public and private at once
 */
export function readAudience(
  input: Pick<ChannelChange, "is_private" | "user_ids" | "group_ids" | "access_grants">,
): Audience {
  const grants = input.access_grants ?? [];
  const writers = new Set(grants.filter((grant) => grant.permission === "write").map(principal));
  if (grants.some((grant) => !writers.has(principal(grant))))
    throw refused("access_grants", "Everyone who can read a channel can also write in it: grant `write` as well");
  if (grants.some((grant) => grant.principal_type === "organization"))
    throw refused(
      "access_grants",
      "A channel belongs to one organization: grant `write` to the user `*`, or to people and groups",
    );
  const isForAll = grants.some((grant) => grant.principal_id === everyone);
  if (isForAll && input.is_private === true)
    throw refused("is_private", "A channel that everyone can write in cannot be private");
  const ofType = (type: "user" | "group") =>
    grants
      .filter((grant) => grant.principal_type === type && grant.principal_id !== everyone)
      .map((grant) => grant.principal_id);
  const said = input.is_private ?? undefined;
  return {
    isPublic: isForAll ? true : said === undefined ? undefined : !said,
    userIds: [...new Set([...(input.user_ids ?? []), ...ofType("user")])],
    groupIds: [...new Set([...(input.group_ids ?? []), ...ofType("group")])],
  };
}

const principal = (grant: { principal_type: string; principal_id: string }) =>
  `${grant.principal_type}:${grant.principal_id}`;

export function refused(path: string, message: string): AppError {
  return new AppError("validation_failed", `${path}: ${message}`, { param: path, issues: [{ path, message }] });
}
