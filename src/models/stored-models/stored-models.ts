import { eq, not, sql } from "drizzle-orm";
import { requireAdmin, requirePermission, requireUser, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { isMissingValue, isUniqueViolation } from "../../db/database-error.ts";
import {
  knownFor,
  readMetaKnowledge,
  selectMetaKnowledge,
  showKnowledge,
} from "../../documents/knowledge/models/meta-knowledge.ts";
import { checkReferences } from "../../documents/knowledge/models/references.ts";
import { AppError } from "../../errors.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { grantView, namedGrants, type Grant } from "../../people/grants/grant.ts";
import { checkGrants } from "../../people/grants/grants.ts";
import { loadSnapshot, type Snapshot } from "../catalog/catalog-snapshot.ts";
import { mayEdit, mayRead } from "../catalog/visibility.ts";
import { checkBase, checkBaseOwner, checkIdIsFree, takenId } from "./check-model.ts";
import { insertModel, selectModel, updateModel, type Statement } from "./model-statements.ts";
import type { AccessChange, ModelChange, NewModel, StoredModelView } from "./schema.ts";
import { metaView, type StoredModel } from "./stored-model.ts";
import { storedModels } from "./tables.ts";

/** A stored model with the permissions of the caller. */
export function storedModelView(stored: StoredModel, grants: readonly Grant[], canWrite: boolean): StoredModelView {
  return {
    id: stored.id,
    user_id: stored.userId,
    base_model_id: stored.baseModelId,
    name: stored.name,
    meta: metaView(stored),
    params: canWrite ? stored.params : {},
    access_grants: canWrite ? grants.map(grantView) : [],
    is_active: stored.isActive,
    write_access: canWrite,
    created_at: stored.createdAt,
    updated_at: stored.updatedAt,
  };
}

/** @throws AppError `not_found` for a model that does not exist or that the caller cannot see. */
export async function getStoredModel(ctx: Context, id: string): Promise<StoredModelView> {
  const { stored, snapshot, canWrite } = await findReadable(ctx, id);
  const view = storedModelView(stored, snapshot.grants.get(id) ?? [], canWrite);
  return (await withKnowledge(ctx, snapshot, [view]))[0]!;
}

/** Views with `meta.knowledge` for people who may edit the models: no round trip if there is none, otherwise one. */
export async function withKnowledge(
  ctx: Context,
  snapshot: Snapshot,
  views: StoredModelView[],
): Promise<StoredModelView[]> {
  const ids = views.filter((view) => view.write_access && snapshot.knowledge.has(view.id)).map((view) => view.id);
  if (ids.length === 0) return views;
  const rows = await selectMetaKnowledge(ctx, ids);
  return views.map((view) => showKnowledge(view, rows));
}

interface Found {
  user: User;
  snapshot: Snapshot;
  stored: StoredModel;
  canWrite: boolean;
}

async function findReadable(ctx: Context, id: string): Promise<Found> {
  const user = requireUser(ctx);
  const snapshot = await loadSnapshot(ctx);
  const rules = { snapshot, settings: ctx.settings, viewer: user };
  const stored = snapshot.stored.get(id);
  if (!stored || !mayRead(rules, stored)) throw unknownModel(id);
  return { user, snapshot, stored, canWrite: mayEdit(rules, stored) };
}

/**
 * The model, for a caller who may change it.
 * @throws AppError `not_found`, `forbidden`.
 */
export async function findEditable(ctx: Context, id: string): Promise<Found> {
  const found = await findReadable(ctx, id);
  if (!found.canWrite)
    throw new AppError("forbidden", `You can use ${found.stored.name} but not change it. Ask its owner for access`);
  return found;
}

function unknownModel(id: string): AppError {
  return new AppError("not_found", `No stored model with the id ${id}`, { param: "id" });
}

/**
 * @throws AppError `forbidden`; `conflict` for an existing id; `validation_failed` for an invalid base, picture or
 *   grant.
 */
export async function createModel(ctx: Context, input: NewModel): Promise<StoredModelView> {
  const user = requirePermission(ctx, "workspace.models");
  const snapshot = await loadSnapshot(ctx);
  return writeAndRead(ctx, input.id, await creation(ctx, user, snapshot, input));
}

/** Checks a new model and returns the statements that create it. */
export async function creation(ctx: Context, user: User, snapshot: Snapshot, input: NewModel): Promise<Statement[]> {
  const given = namedGrants(input) ?? [];
  await checkBase(ctx, user, snapshot, input.id, input.base_model_id);
  checkIdIsFree(ctx, snapshot, input.id, input.base_model_id);
  await checkGrants(ctx, user, "model", given, []);
  await checkKnowledge(ctx, user, snapshot, input.id, input.meta);
  return insertModel(ctx, user, input, given);
}

/** @throws AppError `not_found`, `forbidden`, `validation_failed`; `conflict` if it is newer than the one that was edited. */
export async function changeModel(ctx: Context, change: ModelChange): Promise<StoredModelView> {
  const found = await findEditable(ctx, change.id);
  return writeAndRead(ctx, change.id, await alteration(ctx, found, change));
}

/** Checks a change and returns its statements. */
export async function alteration(
  ctx: Context,
  { user, snapshot, stored }: Found,
  change: ModelChange,
): Promise<Statement[]> {
  if (change.base_model_id !== undefined && change.base_model_id !== stored.baseModelId) {
    checkBaseOwner(user, stored);
    await checkBase(ctx, user, snapshot, stored.id, change.base_model_id);
  }
  const given = namedGrants(change);
  if (given) await checkGrants(ctx, user, "model", given, (snapshot.grants.get(stored.id) ?? []).map(grantView));
  if (change.meta) await checkKnowledge(ctx, user, snapshot, stored.id, change.meta);
  return updateModel(ctx, stored, change, given);
}

async function checkKnowledge(ctx: Context, user: User, snapshot: Snapshot, id: string, meta: NewModel["meta"]) {
  const knowledge = readMetaKnowledge(meta);
  if (knowledge) await checkReferences(ctx, user, knowledge, knownFor(snapshot, id), "meta.knowledge");
}

/**
 * Switches a model on or off; toggles it if `wanted` is missing.
 * @throws AppError `not_found`, `forbidden`.
 */
export async function toggleModel(ctx: Context, id: string, wanted?: boolean | null): Promise<StoredModelView> {
  await findEditable(ctx, id);
  return writeAndRead(ctx, id, [
    ctx.db
      .update(storedModels)
      .set({
        isActive: wanted ?? not(storedModels.isActive),
        updatedAt: sql`max(${ctx.now()}, ${storedModels.updatedAt} + 1)`,
      })
      .where(eq(storedModels.id, id)),
    auditRowIf(ctx, { action: "model.toggled", targetType: "model", targetId: id }),
  ]);
}

/**
 * Sets who can use the model. Administrators can do this for a provider's model without stored settings too.
 * @throws AppError `not_found`, `forbidden`, `validation_failed`.
 */
export async function changeModelAccess(ctx: Context, change: AccessChange): Promise<StoredModelView> {
  const given = namedGrants(change) ?? [];
  const snapshot = await loadSnapshot(ctx);
  if (!snapshot.stored.has(change.id) && requireUser(ctx).role === "admin") {
    return createModel(ctx, {
      id: change.id,
      base_model_id: null,
      name: change.name ?? change.id,
      meta: {},
      params: {},
      is_active: true,
      access_grants: given,
    });
  }
  return changeModel(ctx, {
    id: change.id,
    ...(change.name !== undefined ? { name: change.name } : {}),
    access_grants: given,
  });
}

/**
 * Deletes it with its grants and picture.
 * @throws AppError `not_found`, `forbidden`.
 */
export async function deleteModel(ctx: Context, id: string): Promise<void> {
  await findEditable(ctx, id);
  const [rows] = await ctx.db.batch([
    ctx.db.delete(storedModels).where(eq(storedModels.id, id)).returning({ id: storedModels.id }),
    auditRowIf(ctx, { action: "model.deleted", targetType: "model", targetId: id }),
  ]);
  if (rows.length === 0) throw unknownModel(id);
}

/**
 * Deletes all stored models; providers' models keep their defaults.
 * @throws AppError `forbidden`.
 */
export async function deleteAllModels(ctx: Context): Promise<void> {
  requireAdmin(ctx);
  await ctx.db.batch([
    ctx.db.delete(storedModels),
    auditRowIf(ctx, { action: "model.all_deleted", targetType: "model", targetId: "*" }),
  ]);
}

/**
 * One batch: the write, and the resulting model.
 * @throws AppError `conflict`, `not_found`.
 */
async function writeAndRead(ctx: Context, id: string, statements: Statement[]): Promise<StoredModelView> {
  const [model, grants, knowledge] = selectModel(ctx, id);
  const results = await runBatch(ctx, [...statements, model, grants, knowledge], id);
  const [row] = results.at(-3) as Awaited<typeof model>;
  if (!row) throw unknownModel(id);
  const stored = { ...row.model, hasPicture: row.picture !== null, ownerIsAdmin: false };
  const view = storedModelView(stored, results.at(-2) as Awaited<typeof grants>, true);
  return showKnowledge(view, results.at(-1) as Awaited<typeof knowledge>);
}

export async function runBatch(ctx: Context, statements: Statement[], id: string): Promise<unknown[]> {
  const [first, ...rest] = statements;
  if (!first) return [];
  try {
    return (await ctx.db.batch([first, ...rest])) as unknown[];
  } catch (error) {
    if (isUniqueViolation(error, "stored_models.id")) throw takenId(id);
    if (isMissingValue(error, "stored_models.name"))
      throw new AppError("conflict", "Someone else changed this model in the meantime: read it again", {
        param: "if_unmodified_since",
      });
    throw error;
  }
}
