import { heardOrganization } from "../channels/heard-organization.ts";
import type { Context } from "../context.ts";
import type { SocketRights } from "./socket-note.ts";

/** What a socket of the caller may do. */
export function socketRights(ctx: Pick<Context, "actor" | "settings">): SocketRights {
  const { actor } = ctx;
  return { hears: heardOrganization(ctx), isPending: actor.kind === "user" && actor.role === "pending" };
}
