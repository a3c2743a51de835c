import { requireUser, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Snapshot } from "../catalog/catalog-snapshot.ts";
import { findModel } from "../catalog/find-model.ts";
import { knownList } from "../catalog/look-up-list.ts";
import { sourcesFor } from "../catalog/pipe-connection.ts";
import { withoutPrefix } from "../connections/connection.ts";
import { isDirectId } from "../direct-connections/direct-id.ts";
import type { StoredModel } from "./stored-model.ts";

/** Maximum size of `meta` and `params`, in characters of JSON: every isolate keeps them in memory. */
const maxDocumentLength = 120_000;

function wrong(path: string, message: string): AppError {
  return new AppError("validation_failed", message, { param: path, issues: [{ path, message }] });
}

export function checkSize(path: "meta" | "params", value: Record<string, unknown>): void {
  if (JSON.stringify(value).length > maxDocumentLength)
    throw wrong(path, `More than ${maxDocumentLength / 1000},000 characters in ${path}`);
}

/**
 * Checks a model's base (null: the settings of the provider's model with that id).  Administrators may name a base that
 * does not exist now: its provider may be down or connected later. Everyone else must be able to use it now. A custom
 * model cannot be a base, so there are no chains and no loops.
 * @throws AppError `forbidden` or `validation_failed`.
 */
export async function checkBase(
  ctx: Context,
  user: User,
  snapshot: Snapshot,
  id: string,
  baseId: string | null,
): Promise<void> {
  if (baseId === null) {
    if (user.role !== "admin")
      throw new AppError(
        "forbidden",
        "Only an administrator can change a provider's model: set base_model_id to create a model of your own",
      );
    return;
  }
  if (baseId === id) throw wrong("base_model_id", "A model cannot be based on itself");
  const base = snapshot.stored.get(baseId);
  if (base && base.baseModelId !== null)
    throw wrong(
      "base_model_id",
      `${base.name} is a custom model and cannot be a base model: choose a provider's model`,
    );
  if (user.role === "admin") return;
  try {
    await findModel(ctx, baseId);
  } catch (error) {
    if (error instanceof AppError && error.code === "model_not_found") throw wrong("base_model_id", error.message);
    throw error;
  }
}

/**
 * A custom model must not replace a provider's, because people who choose it by its id would get something else.
 * @throws AppError `conflict`; `validation_failed` for an id of people's own connections.
 */
export function checkIdIsFree(ctx: Context, snapshot: Snapshot, id: string, baseId: string | null): void {
  if (snapshot.stored.has(id)) throw takenId(id);
  if (baseId === null) return;
  // Otherwise somebody's model could wait for the calls of a person whose connection is gone.
  if (isDirectId(id)) throw wrong("id", "IDs that begin with direct. belong to people's own connections");
  const visible = new Set(sourcesFor(ctx.settings, snapshot, requireUser(ctx)));
  for (const connection of [...snapshot.pipes, ...snapshot.connections]) {
    const upstreamId = withoutPrefix(connection, id);
    if (upstreamId === undefined) continue;
    if (
      connection.modelIds.includes(upstreamId) ||
      (connection.modelIds.length === 0 && knownList(ctx, connection)?.byId.has(upstreamId))
    ) {
      // What other organizations are connected to is nobody else's business; that the id is taken has to be said.
      if (!visible.has(connection)) throw takenId(id);
      throw new AppError("conflict", `${connection.name} already has a model with the id ${id}: choose another id`, {
        param: "id",
      });
    }
  }
}

export function takenId(id: string): AppError {
  return new AppError("conflict", `A model with the id ${id} already exists`, { param: "id" });
}

/**
 * Only the owner and administrators may change the base model. An administrator's model shares its base with everyone
 * it is shared with, so people who may only edit it must not choose it.
 */
export function checkBaseOwner(user: User, stored: StoredModel): void {
  if (user.role !== "admin" && stored.userId !== user.id) {
    throw new AppError("forbidden", "Only its owner or an administrator can change the base model", {
      param: "base_model_id",
    });
  }
}
