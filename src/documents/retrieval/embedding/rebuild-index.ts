import { requireAdmin } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { auditRow } from "../../../people/audit/audit-row.ts";
import type { RetrievalStatus } from "./schema.ts";
import { rebuildSpace } from "./spaces.ts";
import { getStatus } from "./status.ts";

/**
 * Makes all vectors anew with the model that is chosen, while the old ones serve: for a provider that has put another model
 * behind the same name. @throws AppError `forbidden`; `conflict` where no model is chosen
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
