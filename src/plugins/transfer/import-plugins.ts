import { and, eq, inArray, sql } from "drizzle-orm";
import { requireAdmin, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError, type Issue } from "../../errors.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import type { Grant } from "../../people/grants/grant.ts";
import { grants } from "../../people/grants/tables.ts";
import { users } from "../../people/users/tables.ts";
import { requireMaker } from "../create-plugin.ts";
import { type Family, mayWrite } from "../find-plugin.ts";
import { requirePlugins } from "../open-plugin.ts";
import { selectPackages, toPluginPackages } from "../packages/find-packages.ts";
import { entryColumns, ownerOf, selectPluginIndex } from "../plugin-index.ts";
import type { Statement } from "../plugin-statements.ts";
import { functionView } from "../plugin-view.ts";
import { runStatements } from "../run-batch.ts";
import type { FunctionView, ImportResult, TransferredPlugin } from "../schema.ts";
import { plugins } from "../tables.ts";
import { inTurns } from "./in-turns.ts";
import { planImport, type StoredPlugin } from "./plan-import.ts";

/**
 * Creates plugins and changes existing ones, each separately, so that one that cannot be loaded does not affect others.
 * Reads exports of this service and of Open WebUI.
 * @throws AppError `forbidden`, `plugins_disabled`
 */
export async function importPlugins(
  ctx: Context,
  family: Family,
  items: readonly TransferredPlugin[],
): Promise<ImportResult> {
  const user = requireMaker(ctx, family);
  requirePlugins(ctx);
  const base = await loadBase(ctx, user, family, items);
  const imported: string[] = [];
  const problems: ImportResult["problems"] = [];
  const seen = new Set<string>();
  await inTurns(items, async (item) => {
    const problem = (message: string) => problems.push({ id: item.id, message });
    const id = item.id.trim().toLowerCase();
    if (seen.has(id)) return void problem("It is listed twice");
    seen.add(id);
    try {
      const plan = await planImport(ctx, user, family, item, base.stored.get(id), base.packages);
      await runStatements(ctx, plan.statements);
      imported.push(plan.id);
      plan.notes.forEach(problem);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      problem(error.message);
    }
  });
  const order = new Map(items.map((item, index) => [item.id.trim().toLowerCase(), index]));
  imported.sort((a, b) => order.get(a)! - order.get(b)!);
  return { imported, problems };
}

/**
 * Replaces all functions: stores these and deletes all others, or changes nothing.
 * @throws AppError `forbidden`; `plugin_invalid` with every function that cannot be stored.
 */
export async function syncFunctions(ctx: Context, items: readonly TransferredPlugin[]): Promise<FunctionView[]> {
  const user = requireAdmin(ctx);
  requirePlugins(ctx);
  const base = await loadBase(ctx, user, "function", items);
  const statements: Statement[][] = items.map(() => []);
  const issues: Issue[] = [];
  const indexed = items.map((item, index) => ({ item, index }));
  await inTurns(indexed, async ({ item, index }) => {
    const id = item.id.trim().toLowerCase();
    const refuse = (message: string) => issues.push({ path: `functions.${index}`, message: `${item.id}: ${message}` });
    if (items.findIndex((other) => other.id.trim().toLowerCase() === id) < index)
      return void refuse("It is listed twice");
    try {
      const plan = await planImport(ctx, user, "function", item, base.stored.get(id), base.packages);
      statements[index] = plan.statements;
      plan.notes.forEach(refuse);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refuse(error.message);
    }
  });
  if (issues.length > 0) throw new AppError("plugin_invalid", issues[0]!.message, { issues, param: "functions" });
  const kept = JSON.stringify(items.map((item) => item.id.trim().toLowerCase()));
  await runStatements(ctx, [
    ...statements.flat(),
    ctx.db
      .delete(plugins)
      .where(and(eq(plugins.family, "function"), sql`${plugins.id} NOT IN (SELECT value FROM json_each(${kept}))`)),
    auditRowIf(
      ctx,
      { action: "function.synchronized", targetType: "function", targetId: "*", detail: { kept: items.length } },
      sql`1`,
    ),
  ]);
  const now = await selectPluginIndex(ctx.db);
  return now.filter((entry) => entry.family === "function").map((entry) => functionView(entry));
}

async function loadBase(ctx: Context, user: User, family: Family, items: readonly TransferredPlugin[]) {
  const ids = [...new Set(items.map((item) => item.id.trim().toLowerCase()))];
  const [rows, given, packages] = await ctx.db.batch([
    ctx.db
      .select({ ...entryColumns, source: plugins.source, sealedValves: plugins.sealedValves })
      .from(plugins)
      .leftJoin(users, ownerOf)
      .where(and(eq(plugins.family, family), inArray(plugins.id, ids))),
    ctx.db
      .select()
      .from(grants)
      .where(and(eq(grants.resourceType, "tool"), inArray(grants.resourceId, family === "tool" ? ids : []))),
    selectPackages(ctx.db, { organizationId: user.organizationId, byAdminOnly: user.role === "admin" }),
  ]);
  const grantsOf = Map.groupBy(given as (Grant & { resourceId: string })[], (grant) => grant.resourceId);
  const stored = new Map(
    rows.map(({ source, sealedValves, ...entry }): [string, StoredPlugin] => [
      entry.id,
      { entry, source, sealedValves, canWrite: mayWrite(user, entry, grantsOf.get(entry.id) ?? []) },
    ]),
  );
  return { stored, packages: await toPluginPackages(ctx, packages) };
}
