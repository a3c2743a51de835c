import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { newId } from "../../lib/id.ts";
import { isRecord } from "../../lib/json.ts";
import { landingHome } from "../../people/organizations/landing.ts";
import { newAccountRows } from "../../people/users/new-account-rows.ts";
import { auditedWrite, requireWritten } from "../audited-write.ts";
import { readUserDocument } from "../patch/apply-user-patch.ts";
import { project, type Projection } from "../projection.ts";
import { findProvider, requireProvider } from "../provider.ts";
import { requireProvisioner } from "../require-provisioner.ts";
import { selectUser, toScimUser, userSnapshot } from "./user-rows.ts";
import { valuesOf } from "./user-values.ts";
import { takenReason, userErrors } from "./write-user.ts";

/**
 * The identity provider makes an account, approved and without a password: its person signs in there. Where it lands is decided
 * by the landing rules over the resource as it was sent, attributes that are not kept included.
 * @returns the resource, and its address
 * @throws ScimError `invalidValue`, `uniqueness`; AppError `organization_inactive` where the account would have no home.
 */
export async function createUser(ctx: Context, body: unknown, projection: Projection) {
  requireProvisioner(ctx);
  const { active = true, ...document } = readUserDocument(body);
  const values = valuesOf(document);
  const provider = values.externalId === null ? findProvider(ctx) : requireProvider(ctx);
  const id = newId();
  const landing = { attributes: body as Record<string, unknown>, groups: groupNames(body) };
  const home = landingHome({ ...landing, email: values.email });
  const errors = userErrors();
  const write = auditedWrite(ctx, {
    action: "scim.user.created",
    operation: "POST",
    targetType: "user",
    targetId: id,
    organizationId: home,
    reason: sql`CASE ${takenReason(id, values, provider)} WHEN ${home} IS NULL THEN 'no_home' END`,
    errors,
    snapshot: userSnapshot(id, provider),
  });
  const rows = newAccountRows(ctx, {
    id,
    name: values.name,
    email: values.email,
    picture: "",
    role: "user",
    action: "user.provisioned",
    landing,
    identity: {
      active,
      userName: values.userName,
      nameParts: values.nameParts as Record<string, string> | null,
      emails: values.emails as Record<string, unknown>[] | null,
      scim:
        provider !== undefined && values.externalId !== null
          ? { [provider]: { external_id: values.externalId } }
          : null,
    },
    condition: write.allowed,
  });
  const results = await ctx.db.batch([
    write.decide,
    ...rows,
    write.complete,
    write.outcome,
    selectUser(ctx, id, projection),
  ]);
  const [outcome, made] = [results.at(-2), results.at(-1)] as [
    Awaited<typeof write.outcome>,
    Awaited<ReturnType<typeof selectUser>>,
  ];
  requireWritten(outcome, errors);
  ctx.registry.wakeNewUserDelivery(ctx);
  const resource = toScimUser(ctx, made[0]!);
  return { resource: project(resource, projection), location: resource.meta.location };
}

/** Groups that the resource names. What SCIM itself says of groups comes later, by their members. */
function groupNames(body: unknown): string[] {
  const groups = isRecord(body) && Array.isArray(body.groups) ? body.groups : [];
  return groups.flatMap((group) => (isRecord(group) && typeof group.display === "string" ? [group.display] : []));
}
