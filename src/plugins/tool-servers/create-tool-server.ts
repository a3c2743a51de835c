import { eq, sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { checkGrants, replaceGrants } from "../../people/grants/grants.ts";
import { homeOf, plainUrl } from "./audit-detail.ts";
import {
  asSharer,
  checkedSpecPath,
  checkedToolHeaders,
  checkedUrl,
  checkGrantKinds,
  checkWhole,
  refuseUnknownOrganization,
  requirePlace,
} from "./check-tool-server.ts";
import type { NewToolServer, ToolServerView } from "./schema.ts";
import { toolServers } from "./tables.ts";
import { noSecrets, sealSecrets, type ToolServerRow, type ToolServerSecrets } from "./tool-server.ts";
import { exists, saved, selectGrants } from "./tool-servers.ts";

/** Servers that one person may have of their own. */
const maxOwn = 20;

/**
 * Administrators add servers for all or for one organization, an organization's administrators for theirs, everybody who
 * may have own servers for themselves.
 * @throws AppError `forbidden`; `validation_failed` for what cannot be; `conflict` for one own server too many.
 */
export async function createServer(ctx: Context, input: NewToolServer): Promise<ToolServerView> {
  const user = requireUser(ctx);
  const place = { userId: input.own ? user.id : null, organizationId: input.own ? null : input.organization_id };
  requirePlace(user, place);
  checkGrantKinds(place, input.access_grants);
  await checkGrants(ctx, asSharer(user), "tool_server", input.access_grants, []);
  const now = ctx.now();
  const url = checkedUrl(input.kind, input.url);
  const secrets: ToolServerSecrets = {
    key: input.key,
    headers: checkedToolHeaders(input.headers, noSecrets),
    oauth: {
      clientId: input.oauth.client_id ?? "",
      clientSecret: input.oauth.client_secret ?? "",
      scope: input.oauth.scope ?? "",
    },
  };
  const row: ToolServerRow = {
    id: newId(),
    kind: input.kind,
    name: input.name || new URL(url).host,
    description: input.description,
    url,
    specPath: checkedSpecPath(input.spec_path),
    authType: input.auth_type,
    sealedSecrets: await sealSecrets(ctx.vault, secrets),
    functions: [...new Set(input.functions)],
    ...place,
    enabled: input.enabled,
    timeout: input.timeout,
    createdAt: now,
    updatedAt: now,
  };
  checkWhole(row, ctx.environment.OUTBOUND_ALLOWED_PRIVATE_HOSTS ?? []);
  const room = input.own
    ? sql`(SELECT count(*) FROM ${toolServers} WHERE ${toolServers.userId} = ${user.id}) < ${maxOwn}`
    : sql`TRUE`;
  const results = await ctx.db
    .batch([
      insertWhere(ctx.db, toolServers, row, room),
      auditRowIf(ctx, {
        action: "tool_server.created",
        targetType: "tool_server",
        targetId: row.id,
        ...homeOf(row),
        detail: {
          ...describe(row, secrets),
          ...(input.access_grants.length > 0 ? { access_grants: input.access_grants } : {}),
        },
      }),
      ...replaceGrants(ctx, "tool_server", row.id, input.access_grants, exists(row.id)),
      selectGrants(ctx, row.id),
      ctx.db.select().from(toolServers).where(eq(toolServers.id, row.id)),
    ])
    .catch(refuseUnknownOrganization);
  const [, , , , grantRows, stored] = results;
  if (!stored[0]) throw new AppError("conflict", `You have reached the limit of ${maxOwn} personal tool servers: delete one first`);
  return saved(ctx, user, stored[0], grantRows, true);
}

/** What of a server may stand in the log. */
function describe(row: ToolServerRow, secrets: ToolServerSecrets): Record<string, unknown> {
  return {
    kind: row.kind,
    name: row.name,
    url: plainUrl(row.url),
    ...(row.specPath === "" ? {} : { spec_path: plainUrl(row.specPath) }),
    auth_type: row.authType,
    has_key: secrets.key !== "",
    headers: Object.keys(secrets.headers),
    functions: row.functions,
    organization_id: row.organizationId,
    own: row.userId !== null,
    enabled: row.enabled,
  };
}
