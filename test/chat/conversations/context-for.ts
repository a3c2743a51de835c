import type { User } from "../../../src/access.ts";
import { effectiveSettings } from "../../../src/compose/effective-settings.ts";
import { type Context, createContext, createServices } from "../../../src/context.ts";
import type { Database } from "../../../src/db/client.ts";
import { newId } from "../../../src/lib/id.ts";
import { allPermissions } from "../../../src/people/permissions.ts";
import { defaultOrganizationId, origin, type Person, type World } from "../../world.ts";

/** The context that verbs are given when the person calls. */
export function contextFor(world: World, person: Person, settings: Record<string, unknown> = {}): Context {
  const actor: User = {
    kind: "user",
    id: person.id,
    name: person.name,
    email: person.email,
    accountKind: "person",
    freeProbes: 0,
    role: person.role,
    organizationId: defaultOrganizationId,
    organizationRole: "member",
    groupIds: [],
    permissions: allPermissions,
    memory: { count: 0, isOn: true, mayAdd: false },
    credential: { kind: "session", sessionId: person.sessionId, transport: "bearer" },
  };
  const found = {
    actor,
    settings: effectiveSettings(world.services.environment, settings),
    defaultPermissions: {},
    catalogStamp: 1,
    quotaStamp: 0,
  };
  return createContext(world.services, found, { requestId: newId(), origin });
}

/** The same context over another database. */
export function contextOver(ctx: Context, db: Database): Context {
  return createContext(createServices({ db, replica: db }, ctx), ctx, ctx);
}
