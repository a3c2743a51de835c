import type { User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { profileImagePath } from "../../users/parse-profile-image.ts";
import { resolveFound, sessionLookup } from "../resolve-actor.ts";
import type { NewSession } from "../sessions/new-session.ts";
import type { SessionResponse } from "./schema.ts";

/** A new session; the token is in the response. */
export interface SignedIn {
  response: SessionResponse;
  expiresAt: number | null;
}

/** The last statement of the batch that starts a session: reads its person, for `signedIn`. */
export function startedSession(ctx: Context, { row }: NewSession) {
  return ctx.db.all<{ document: string }>(sessionLookup(ctx, row));
}

/**
 * The response to signing in, from the same lookup as the session's next request.
 * @param found what `startedSession` read
 * @throws AppError `account_inactive` (401) or `organization_inactive` (403) if one was switched off at the same time.
 */
export function signedIn(ctx: Context, found: { document: string }[], session: NewSession): SignedIn {
  const { actor } = resolveFound(ctx, found);
  return { response: sessionResponse(actor, session), expiresAt: session.expiresAt };
}

export function sessionResponse(user: User, session: Pick<NewSession, "token" | "expiresAt">): SessionResponse {
  const { id, name, email, role, organizationId, organizationRole, permissions } = user;
  return {
    token: session.token,
    token_type: "Bearer",
    expires_at: session.expiresAt,
    id,
    email,
    name,
    role,
    organization_id: organizationId,
    organization_role: organizationRole,
    profile_image_url: profileImagePath(id),
    permissions,
    ...(user.lacksSecondFactor && { lacks_second_factor: true as const }),
  };
}
