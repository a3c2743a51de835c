import type { Role } from "../../access.ts";
import type { Context } from "../../context.ts";
import { allPermissions, effectivePermissions, type PartialPermissions } from "../../identity/permissions.ts";
import { profileImagePath } from "../../identity/users/parse-profile-image.ts";
import type { NewSession } from "../sessions/new-session.ts";
import type { SessionResponse } from "./schema.ts";

/** A session that exists now; the token is in the response. */
export interface SignedIn {
  response: SessionResponse;
  expiresAt: number | null;
}

interface SignedInPerson {
  id: string;
  name: string;
  email: string;
  role: Role;
  organizationId: string;
  organizationRole: "admin" | "member";
}

/** @param groups what the person's groups allow */
export function signedIn(
  ctx: Context,
  person: SignedInPerson,
  groups: PartialPermissions[],
  session: Pick<NewSession, "token" | "expiresAt">,
): SignedIn {
  const { id, name, email, role } = person;
  const permissions = role === "admin" ? allPermissions : effectivePermissions(ctx.defaultPermissions, groups);
  const response: SessionResponse = {
    token: session.token,
    token_type: "Bearer",
    expires_at: session.expiresAt,
    id,
    email,
    name,
    role,
    organization_id: person.organizationId,
    organization_role: person.organizationRole,
    profile_image_url: profileImagePath(id),
    permissions,
  };
  return { response, expiresAt: session.expiresAt };
}
