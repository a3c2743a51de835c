import { requireAdmin } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { auditRow } from "../../../people/audit/audit-row.ts";
import type { RetrievalStatus } from "./schema.ts";
import { rebuildSpace } from "./spaces.ts";
import { getStatus } from "./status.ts";

/**
 * Rebuilds all vectors with the selected model, while search uses the old ones: for a provider that has changed the
 * model behind a name.
 * @throws AppError `forbidden`; `conflict` if no model is selected
 */
export async function rebuildIndex(ctx: Context): Promise<RetrievalStatus> {
  requireAdmin(ctx);
  const model = ctx.settings.RAG_EMBEDDING_MODEL.trim();
  if (model === "") throw new AppError("conflict", "No embedding model is selected: search uses words only");
  await rebuildSpace(
    ctx,
    auditRow(ctx, { action: "index.rebuilt", targetType: "index", targetId: "embedding", detail: { model } }),
  );
  return getStatus(ctx);
}
