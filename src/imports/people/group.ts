import { sql } from "drizzle-orm";
import * as z from "zod";
import { auditRow } from "../../people/audit/audit-row.ts";
import { groupMembers, groups } from "../../people/groups/tables.ts";
import { defaultOrganizationId } from "../../people/organizations/default-organization.ts";
import { factoryPermissions, type PartialPermissions } from "../../people/permissions.ts";
import { time } from "../../people/schema.ts";
import { defineKind, type ImportRun, type Outcome } from "../kind.ts";
import { takenIn } from "../record-parts.ts";
import { leftField, leftNotes } from "../report-notes.ts";
import { sourceId } from "../schema.ts";

const shape = z.object({
  kind: z.literal("group"),
  id: sourceId,
  name: z.string().trim().min(1).max(200),
  description: z.string().max(10_000).default(""),
  /** A tree; what this service has no permission for is left out. */
  permissions: z.record(z.string().max(200), z.unknown()).default({}),
  person_id: sourceId.nullish(),
  organization_id: sourceId.nullish(),
  /** Its id at the provider that provisions it. */
  external_id: z.string().min(1).max(500).nullish(),
  /** People, those that a sign-in provider has put into it with its name. */
  members: z
    .array(z.union([sourceId, z.object({ person_id: sourceId, source: z.string().min(1).max(300) })]))
    .max(100_000)
    .default([]),
  share: z.enum(["everyone", "members", "nobody"]).default("members"),
  created_at: time.nullish(),
  updated_at: time.nullish(),
  /** What the sender has changed: sentences for the report. */
  notes: z.array(z.string().max(500)).max(100).default([]),
  left: leftField,
});
type Group = z.infer<typeof shape>;

const memberOf = (member: Group["members"][number]) =>
  typeof member === "string" ? { person_id: member, source: null } : member;

/** A group, of the default organization where it does not say otherwise: its members may be anybody's. */
export const groupKind = defineKind<Group>({
  shape,
  references: ({ members, person_id: owner, organization_id: home }) => [
    ...[...members.map((each) => memberOf(each).person_id), ...(owner ? [owner] : [])].map((id) => ({
      kind: "person",
      id,
    })),
    ...(home ? [{ kind: "organization", id: home }] : []),
  ],
  taken: takenIn("groups"),
  plan: planGroup,
});

function planGroup(run: ImportRun, record: Group, id: string): Outcome {
  const { ctx } = run;
  const now = ctx.now();
  const { permissions, unknown } = splitPermissions(record.permissions);
  const found = record.members.map(memberOf).flatMap(({ person_id: person, source }) => {
    const here = run.find("person", person);
    return here === undefined ? [] : [[here, source] as const];
  });
  const members = [...new Map(found)];
  const missing = record.members.length - found.length;
  const { name, description } = record;
  const home = (record.organization_id && run.find("organization", record.organization_id)) || defaultOrganizationId;
  const externalId = record.external_id ?? null;
  return {
    statements: [
      ctx.db.insert(groups).values({
        id,
        organizationId: home,
        externalId: sql`iif(EXISTS (SELECT 1 FROM groups g WHERE g.external_id = ${externalId}), NULL, ${externalId})`,
        userId: (record.person_id && run.find("person", record.person_id)) ?? null,
        name,
        description,
        permissions,
        share: record.share,
        createdAt: record.created_at ?? now,
        updatedAt: record.updated_at ?? record.created_at ?? now,
      }),
      ctx.db
        .insert(groupMembers)
        .select(
          sql`SELECT ${id}, u.id, m.value ->> 1, ${now} FROM json_each(${JSON.stringify(members)}) m JOIN users u ON u.id = m.value ->> 0`,
        ),
      auditRow(ctx, {
        action: "group.created",
        targetType: "group",
        targetId: id,
        organizationId: home,
        detail: { name, permissions },
      }),
    ],
    notes: [
      ...(missing > 0 ? [`${missing} of its members weren't imported`] : []),
      ...(unknown.length > 0 ? [`Permissions that don't exist here: ${unknown.join(", ").slice(0, 2000)}`] : []),
      ...record.notes,
      ...leftNotes(record.left),
    ],
  };
}

/** The permissions that there are here, and the names of others that were given. */
export function splitPermissions(tree: Record<string, unknown>): {
  permissions: PartialPermissions;
  unknown: string[];
} {
  const permissions: Record<string, Record<string, boolean>> = {};
  const unknown: string[] = [];
  for (const [branch, leaves] of Object.entries(tree)) {
    if (typeof leaves !== "object" || leaves === null) continue;
    const known: object = Object.hasOwn(factoryPermissions, branch)
      ? factoryPermissions[branch as keyof typeof factoryPermissions]
      : {};
    for (const [leaf, value] of Object.entries(leaves)) {
      if (typeof value !== "boolean") continue;
      if (Object.hasOwn(known, leaf)) (permissions[branch] ??= {})[leaf] = value;
      else if (value) unknown.push(`${branch}.${leaf}`);
    }
  }
  return { permissions, unknown };
}
