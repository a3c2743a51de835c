import { and, eq, isNull, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import * as z from "zod";
import type { Context } from "../../context.ts";
import { newId } from "../../lib/id.ts";
import { textsIn } from "../../lib/json.ts";
import { auditRow } from "../../people/audit/audit-row.ts";
import { defaultOrganizationId } from "../../people/organizations/default-organization.ts";
import { time } from "../../people/schema.ts";
import { organizationOf } from "../../people/users/organization-of.ts";
import { maxPromptLength, promptCommand } from "../../prompts/schema.ts";
import { prompts, promptVersions } from "../../prompts/tables.ts";
import { grantReferences, grantsField, grantStatements } from "../grants.ts";
import { defineKind, type ImportRun, type Outcome } from "../kind.ts";
import { takenIn } from "../record-parts.ts";
import { leftField, leftNotes, lineOf } from "../report-notes.ts";
import { sourceId } from "../schema.ts";

/** So many versions of a prompt are kept here. */
const maxVersions = 50;

const text = {
  command: z.string().min(1).max(1000),
  name: z.string().max(10_000),
  content: z.string().min(1).max(maxPromptLength),
  tags: z.array(z.unknown()).max(1000).default([]),
};
const version = z.object({
  id: sourceId,
  /** The version that was changed; the one before it where it does not say. */
  parent_id: sourceId.nullish(),
  ...text,
  message: z.string().max(10_000).nullish(),
  person_id: sourceId.nullish(),
  created_at: time.nullish(),
});

const shape = z.object({
  kind: z.literal("prompt"),
  id: sourceId,
  person_id: sourceId.nullish(),
  /** Of one that nobody owns. */
  organization_id: sourceId.nullish(),
  ...text,
  is_active: z.boolean().default(true),
  /** The older first. */
  versions: z.array(version).max(1000).default([]),
  /** Of `versions`: the one that the text is of. */
  version_id: sourceId.nullish(),
  access_grants: grantsField,
  created_at: time.nullish(),
  updated_at: time.nullish(),
  left: leftField,
});
type Prompt = z.infer<typeof shape>;
type Version = z.infer<typeof version>;

/** A stored text with its versions. */
export const promptKind = defineKind<Prompt>({
  shape,
  references: ({ person_id: owner, organization_id: home, versions, access_grants: grants }) => [
    ...(home ? [{ kind: "organization", id: home }] : []),
    ...[owner, ...versions.map((each) => each.person_id)].flatMap((id) => (id ? [{ kind: "person", id }] : [])),
    ...grantReferences(grants),
  ],
  taken: takenIn("prompts"),
  plan: planPrompt,
});

async function planPrompt(run: ImportRun, record: Prompt, id: string): Promise<Outcome> {
  const { ctx } = run;
  const owner = (record.person_id && run.find("person", record.person_id)) || null;
  const wanted = commandOf(record.command);
  const there = await commandsOf(ctx, owner, record.content);
  const same = there.find(({ command, isSame }) => command === wanted && isSame === 1);
  if (same) return { matched: same.id };
  const command = freeCommand(wanted, new Set(there.map((each) => each.command)));
  const notes: string[] = [];
  if (command !== record.command.trim().replace(/^\/+/, "")) notes.push(`Its command is /${command} here`);
  if (record.person_id && owner === null) notes.push("Its owner wasn't imported: nobody owns it");
  const now = ctx.now();
  const createdAt = record.created_at ?? now;
  const current = { ...textOf(record), command };
  const { rows, versionId } = await versionsOf(run, record, id, current);
  const grants = grantStatements(run, "prompt", id, record.access_grants);
  const home = (record.organization_id && run.find("organization", record.organization_id)) || defaultOrganizationId;
  const organizationId = owner === null ? sql`${home}` : organizationOf(owner);
  const statements: BatchItem<"sqlite">[] = [
    ctx.db.insert(prompts).values({
      id,
      userId: owner,
      organizationId,
      ...current,
      isActive: record.is_active,
      versionId,
      createdAt,
      updatedAt: record.updated_at ?? createdAt,
    }),
    ...rows.map((row) => ctx.db.insert(promptVersions).values(row)),
    ...grants.statements,
    auditRow(ctx, {
      action: "prompt.created",
      targetType: "prompt",
      targetId: id,
      organizationId,
      detail: { name: current.name, command, access_grants: grants.given },
    }),
  ];
  if (record.versions.length > maxVersions)
    notes.push(`Of ${record.versions.length} versions the newest ${maxVersions} are kept`);
  return { statements, notes: [...notes, ...grants.notes, ...leftNotes(record.left)] };
}

/** The commands of this person, and which prompts have this text. */
function commandsOf(ctx: Context, owner: string | null, content: string) {
  return ctx.db
    .select({ id: prompts.id, command: prompts.command, isSame: sql<number>`${prompts.content} = ${content}` })
    .from(prompts)
    .where(
      and(
        owner === null ? isNull(prompts.userId) : eq(prompts.userId, owner),
        owner === null
          ? eq(prompts.organizationId, defaultOrganizationId)
          : sql`${prompts.organizationId} = ${organizationOf(owner)}`,
      ),
    );
}

function commandOf(given: string): string {
  const plain = given
    .trim()
    .replaceAll(/[^\p{L}\p{N}\p{M}_-]+/gu, "-")
    .replaceAll(/^[^\p{L}\p{N}]+|-+$/gu, "")
    .slice(0, 60);
  return promptCommand.safeParse(plain).success ? plain : "prompt";
}

function freeCommand(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? "" : `-${number}`;
    const tried = wanted.slice(0, 60 - ending.length) + ending;
    if (!taken.has(tried)) return tried;
  }
}

function textOf(given: Pick<Version, "command" | "name" | "content" | "tags">) {
  const command = commandOf(given.command);
  const tags = textsIn(given.tags).map((tag) => lineOf(tag, 50));
  return {
    command,
    name: lineOf(given.name, 200) || command,
    content: given.content,
    tags: [...new Set(tags.filter((tag) => tag !== ""))].slice(0, 20),
  };
}

/** The ids that versions have here: their own where these are free. */
async function versionIds({ ctx }: ImportRun, kept: readonly Version[]): Promise<Map<string, string>> {
  const ids = `${JSON.stringify(kept.map(({ id }) => id))}`;
  const taken = await ctx.db.all<{ id: string }>(
    takenIn("prompt_versions")(sql`(SELECT value FROM json_each(${ids}))`),
  );
  const isTaken = new Set(taken.map(({ id }) => id));
  return new Map(kept.map(({ id }) => [id, isTaken.has(id) ? newId() : id]));
}

/** The rows of its versions, and the one that the current text is of. */
async function versionsOf(run: ImportRun, record: Prompt, promptId: string, current: ReturnType<typeof textOf>) {
  const kept = record.versions.slice(-maxVersions);
  const known = await versionIds(run, kept);
  const ids = kept.map(({ id }) => known.get(id)!);
  const rows = kept.map((each, index) => ({
    id: ids[index]!,
    promptId,
    parentId: each.parent_id ? (known.get(each.parent_id) ?? null) : (ids[index - 1] ?? null),
    ...textOf(each),
    message: (each.message ?? "").slice(0, 500),
    userId: (each.person_id && run.find("person", each.person_id)) || null,
    createdAt: each.created_at ?? record.created_at ?? run.ctx.now(),
  }));
  const at = kept.findIndex(({ id, content }) => id === record.version_id && content === record.content);
  if (at >= 0) return { rows, versionId: ids[at]! };
  const versionId = newId();
  const last = {
    id: versionId,
    promptId,
    parentId: ids.at(-1) ?? null,
    ...current,
    message: "",
    userId: (record.person_id && run.find("person", record.person_id)) || null,
    createdAt: record.updated_at ?? record.created_at ?? run.ctx.now(),
  };
  return { rows: [...rows, last], versionId };
}
