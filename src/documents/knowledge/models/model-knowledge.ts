import { sql } from "drizzle-orm";
import { requireUser, type User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { runBatch } from "../../../db/batch.ts";
import { AppError } from "../../../errors.ts";
import { requireModelRight } from "../../../models/catalog/find-model.ts";
import { loadSnapshot, type Snapshot } from "../../../models/catalog/catalog-snapshot.ts";
import { mayEdit, mayRead } from "../../../models/catalog/visibility.ts";
import { auditRowIf } from "../../../people/audit/audit-row.ts";
import { checkReferences, keyOf, selectReadable, uniqueReferences, wrong, type Readable } from "./references.ts";
import type { KnowledgeItem, KnowledgeReference, ModelKnowledgeChange, ModelKnowledgeView } from "./schema.ts";
import { modelKnowledgeStatements } from "./statements.ts";

/** What the caller may say of a model. */
interface Rights {
  user: User;
  snapshot: Snapshot;
  /** For everyone: who may edit the model; of providers' models system administrators alone. */
  everyone: boolean;
  /** For their own organization: its administrators, of models that its people may use. System administrators for each. */
  organization: boolean;
}

/** @throws AppError `model_not_found` for a model that is not there for the caller; `forbidden` for who may only use it */
async function rightsTo(ctx: Context, modelId: string): Promise<Rights> {
  const user = requireUser(ctx);
  const snapshot = await loadSnapshot(ctx);
  if (user.role === "admin") return { user, snapshot, everyone: true, organization: true };
  const rules = { snapshot, settings: ctx.settings, viewer: user };
  const stored = snapshot.stored.get(modelId);
  // What they may not use now (it is switched off), they may still see.
  if (!stored || !mayRead(rules, stored)) await requireModelRight(ctx, modelId);
  const everyone = stored !== undefined && mayEdit(rules, stored);
  const organization = user.organizationRole === "admin";
  if (!everyone && !organization) throw new AppError("forbidden", "You can use this model but not set its knowledge");
  return { user, snapshot, everyone, organization };
}

/** What a model looks things up in, as far as the caller may say it. One round trip when warm. @throws as `rightsTo` */
export async function getModelKnowledge(ctx: Context, modelId: string): Promise<ModelKnowledgeView> {
  return readModelKnowledge(ctx, modelId, await rightsTo(ctx, modelId));
}

async function readModelKnowledge(ctx: Context, modelId: string, rights: Rights): Promise<ModelKnowledgeView> {
  const { user } = rights;
  // Fresh, not from the snapshot: the caller may have changed it in this very request.
  const rows = await ctx.db.all<
    { organizationId: string | null; organization: string | null } & KnowledgeReference
  >(sql`
    SELECT m.organization_id AS organizationId, o.name AS organization, m.kind AS type, m.target_id AS id
    FROM model_knowledge m LEFT JOIN organizations o ON o.id = m.organization_id
    WHERE m.model_id = ${modelId} ORDER BY o.name, m.organization_id, m.created_at, m.id`);
  const shown = rows.filter(({ organizationId }) =>
    organizationId === null
      ? rights.everyone
      : rights.organization && (user.role === "admin" || organizationId === user.organizationId),
  );
  const readable = shown.length === 0 ? [] : await ctx.db.all<Readable>(selectReadable(user, shown));
  const names = new Map(readable.map((each) => [keyOf(each), each.name]));
  const item = ({ type, id }: KnowledgeReference): KnowledgeItem => {
    const name = names.get(keyOf({ type, id }));
    return { type, id, name: name ?? "", readable: name !== undefined };
  };
  const organizations = Map.groupBy(
    shown.filter(({ organizationId }) => organizationId !== null),
    ({ organizationId }) => organizationId!,
  );
  return {
    everyone: shown.filter(({ organizationId }) => organizationId === null).map(item),
    organizations: [...organizations].map(([organizationId, items]) => ({
      organization_id: organizationId,
      name: items[0]!.organization ?? "",
      items: items.map(item),
    })),
  };
}

/**
 * Says what a model looks things up in, for everyone or for one organization. It gives nobody access to anything: whoever asks
 * the model finds what they may read themselves.
 * @throws AppError `not_found`, `forbidden`; `validation_failed` for things that the caller may not read, and for an unknown
 *   organization
 */
export async function setModelKnowledge(
  ctx: Context,
  modelId: string,
  change: ModelKnowledgeChange,
): Promise<ModelKnowledgeView> {
  const rights = await rightsTo(ctx, modelId);
  const { user } = rights;
  const { organization_id: organizationId } = change;
  const isAllowed =
    organizationId === null
      ? rights.everyone
      : rights.organization && (user.role === "admin" || organizationId === user.organizationId);
  if (!isAllowed) {
    if (organizationId !== null && organizationId !== user.organizationId) throw unknownOrganization();
    throw new AppError(
      "forbidden",
      organizationId === null
        ? "Only people who can change the model can set its knowledge for everyone"
        : "Only administrators of the organization can set a model's knowledge for its people",
    );
  }
  const items = uniqueReferences(change.items);
  const before = (rights.snapshot.knowledge.get(modelId) ?? [])
    .filter((each) => each.organizationId === organizationId)
    .map(({ kind, targetId }) => ({ type: kind, id: targetId }));
  await checkReferences(ctx, user, items, before, "items");
  await write(ctx, modelId, organizationId, items);
  return readModelKnowledge(ctx, modelId, rights);
}

async function write(
  ctx: Context,
  modelId: string,
  organizationId: string | null,
  items: readonly KnowledgeReference[],
): Promise<void> {
  const exists =
    organizationId === null ? sql`TRUE` : sql`EXISTS (SELECT 1 FROM organizations WHERE id = ${organizationId})`;
  const results = await runBatch(ctx.db, [
    ctx.db.all(sql`SELECT ${exists} AS found`),
    ...modelKnowledgeStatements(ctx, modelId, organizationId, items, exists),
    auditRowIf(
      ctx,
      {
        action: "model.knowledge_updated",
        targetType: "model",
        targetId: modelId,
        ...(organizationId === null ? {} : { organizationId }),
        detail: { organization_id: organizationId, items },
      },
      exists,
    ),
  ]);
  if (!(results[0] as { found: number }[])[0]?.found) throw unknownOrganization();
}

function unknownOrganization(): AppError {
  return wrong("organization_id", "No such organization");
}
