import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { homeOf, plainUrl } from "./audit-detail.ts";
import {
  checkedSpecPath,
  checkedToolHeaders,
  checkedUrl,
  checkSecretsStay,
  checkWhole,
  refuse,
  refuseUnknownOrganization,
  requirePlace,
} from "./check-tool-server.ts";
import type { ToolServerChange, ToolServerView } from "./schema.ts";
import { toolServers, toolServerTokens } from "./tables.ts";
import { noSecrets, openSecrets, sealSecrets, type ToolServerRow, type ToolServerSecrets } from "./tool-server.ts";
import { findChangeable, saved, selectGrants, unknownServer } from "./tool-servers.ts";

/**
 * Changes what is named, nothing else: two administrators who edit different fields do not undo each other. Another address
 * or another sign-in ends what people were connected with: their tokens were for the old one.
 * @throws AppError `not_found`, `forbidden`, `validation_failed`, `conflict`.
 */
export async function changeServer(ctx: Context, id: string, change: ToolServerChange): Promise<ToolServerView> {
  const { user, row, server } = await findChangeable(ctx, id);
  const next: ToolServerRow = { ...row, ...fieldsOf(row, change) };
  requirePlace(user, next);
  checkSecretsStay(user, server, next, change);
  checkWhole(next, ctx.environment.OUTBOUND_ALLOWED_PRIVATE_HOSTS ?? []);
  const secrets = changedSecrets(await openSecrets(ctx.vault, row.sealedSecrets).catch(() => noSecrets), change);
  const isMoved = new URL(next.url).origin !== new URL(row.url).origin || next.authType !== row.authType;
  if (secrets && (isMoved || change.oauth)) delete secrets.registered;
  const values: Partial<ToolServerRow> = {
    ...fieldsOf(row, change),
    updatedAt: Math.max(ctx.now(), row.updatedAt),
    ...(secrets ? { sealedSecrets: await sealSecrets(ctx.vault, secrets) } : {}),
  };
  // Kept values were read before they are written: who changed them in between must not be undone unseen.
  const unchanged = secrets ? sql`${toolServers.sealedSecrets} IS ${row.sealedSecrets}` : undefined;
  const [rows, , , grantRows] = await ctx.db
    .batch([
      ctx.db
        .update(toolServers)
        .set(values)
        .where(and(eq(toolServers.id, id), unchanged))
        .returning(),
      auditRowIf(ctx, {
        action: "tool_server.updated",
        targetType: "tool_server",
        targetId: id,
        ...homeOf(next),
        detail: auditDetail(change, next, secrets),
      }),
      ctx.db
        .delete(toolServerTokens)
        .where(
          and(
            eq(toolServerTokens.serverId, id),
            isMoved || change.oauth?.client_id !== undefined ? sql`changes() > 0` : sql`FALSE`,
          ),
        ),
      selectGrants(ctx, id),
    ])
    .catch(refuseUnknownOrganization);
  const stored = rows[0];
  if (stored) return saved(ctx, user, stored, grantRows, true);
  const [still] = await ctx.db.select({ id: toolServers.id }).from(toolServers).where(eq(toolServers.id, id));
  throw still
    ? new AppError("conflict", "Someone else changed the server at the same time: reload and try again")
    : unknownServer();
}

/** @throws AppError `validation_failed` */
function fieldsOf(row: ToolServerRow, change: ToolServerChange): Partial<ToolServerRow> {
  const kind = change.kind ?? row.kind;
  const url = change.url !== undefined || change.kind !== undefined ? checkedUrl(kind, change.url ?? row.url) : row.url;
  if (row.userId !== null && (change.organization_id ?? null) !== null)
    throw refuse("organization_id", "A personal tool server cannot belong to an organization");
  return {
    kind,
    url,
    ...(change.name !== undefined ? { name: change.name || new URL(url).host } : {}),
    ...(change.description !== undefined ? { description: change.description } : {}),
    ...(change.spec_path !== undefined ? { specPath: checkedSpecPath(change.spec_path) } : {}),
    ...(change.auth_type !== undefined ? { authType: change.auth_type } : {}),
    ...(change.functions !== undefined ? { functions: [...new Set(change.functions)] } : {}),
    ...(change.organization_id !== undefined ? { organizationId: change.organization_id } : {}),
    ...(change.enabled !== undefined ? { enabled: change.enabled } : {}),
    ...(change.timeout !== undefined ? { timeout: change.timeout } : {}),
  };
}

/** Undefined where none of them changes. @throws AppError `validation_failed` */
function changedSecrets(before: ToolServerSecrets, change: ToolServerChange): ToolServerSecrets | undefined {
  const { key, headers, oauth, url, auth_type } = change;
  if (key === undefined && !headers && !oauth && url === undefined && auth_type === undefined) return undefined;
  return {
    ...before,
    ...(key !== undefined ? { key } : {}),
    ...(headers ? { headers: checkedToolHeaders(headers, before) } : {}),
    oauth: {
      clientId: oauth?.client_id ?? before.oauth.clientId,
      clientSecret: oauth?.client_secret ?? before.oauth.clientSecret,
      scope: oauth?.scope ?? before.oauth.scope,
    },
  };
}

/** Values that are no secrets, and that there was a change for those that are. */
function auditDetail(
  change: ToolServerChange,
  next: ToolServerRow,
  secrets: ToolServerSecrets | undefined,
): Record<string, unknown> {
  const { key, headers, oauth, ...plain } = change;
  return {
    ...plain,
    ...(change.url !== undefined ? { url: plainUrl(next.url) } : {}),
    ...(change.spec_path !== undefined ? { spec_path: plainUrl(next.specPath) } : {}),
    ...(key !== undefined ? { key: key === "" ? "removed" : "replaced" } : {}),
    ...(headers && secrets ? { headers: Object.keys(secrets.headers) } : {}),
    ...(oauth ? { oauth: Object.keys(oauth) } : {}),
  };
}
