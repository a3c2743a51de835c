import { requireUser, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import {
  checkedSpecPath,
  checkedToolHeaders,
  checkedUrl,
  checkSecretsStay,
  checkWhole,
  refuse,
  requirePlace,
} from "./check-tool-server.ts";
import { connectionsOf } from "./find-tool-servers.ts";
import { fetchListing, listingKey, refreshListing, toFailure } from "./known-listing.ts";
import { discoverAuthorization } from "./oauth/discover-server.ts";
import type { ToolServerTrial, ToolServerTrialResult } from "./schema.ts";
import { ServerFailure } from "./server-failure.ts";
import { noSecrets, type ToolServer } from "./tool-server.ts";
import { findChangeable } from "./tool-servers.ts";

/** Who presses a button and looks at it can wait longer than a turn may. */
const trialBudgetMs = 10_000;

/**
 * Asks a server for its functions: with what is entered and not saved yet, or, with an id, with what is saved wherever
 * nothing else is named. Nothing changes, except that the state of a saved server, tried as it is, becomes known.
 * @throws AppError `forbidden`, `not_found`, `validation_failed`; a server that fails is a result, not an error.
 */
export async function verifyServer(
  ctx: Context,
  trial: ToolServerTrial,
  budgetMs = trialBudgetMs,
): Promise<ToolServerTrialResult> {
  const user = requireUser(ctx);
  const saved = trial.id === undefined ? undefined : (await findChangeable(ctx, trial.id)).server;
  const server = serverOf(user, trial, saved);
  requirePlace(user, server);
  // A trial signs nobody in: no client's secret goes anywhere.
  if (saved) checkSecretsStay(user, saved, server, { ...trial, oauth: { client_secret: "" } });
  checkWhole(server, ctx.environment.OUTBOUND_ALLOWED_PRIVATE_HOSTS ?? []);
  const started = Date.now();
  const isAsSaved = saved !== undefined && listingKey(saved) === listingKey(server);
  try {
    if (server.authType === "oauth" && !(isAsSaved && (await isConnected(ctx, user, saved)))) {
      await discoverAuthorization(ctx, server);
      throw new ServerFailure("sign_in", "The server requires people to sign in: save it, connect, and test it again");
    }
    const listing = isAsSaved
      ? await refreshListing(ctx, user, saved, budgetMs)
      : await fetchListing(ctx, user, server, budgetMs);
    return {
      ok: true,
      ...(listing.name === "" ? {} : { name: listing.name }),
      functions: listing.functions.map(({ spec }) => spec),
      latency_ms: Date.now() - started,
      warnings: listing.warnings,
    };
  } catch (error) {
    const failure = toFailure(error);
    if (failure.cause !== undefined)
      ctx.log.warn("could not test a tool server", { kind: failure.kind, error: failure.cause });
    return { ok: false, functions: [], latency_ms: Date.now() - started, warnings: [], error: failure.message };
  }
}

async function isConnected(ctx: Context, user: User, server: ToolServer): Promise<boolean> {
  return (await connectionsOf(ctx, user)).some(({ serverId }) => serverId === server.id);
}

function serverOf(user: User, trial: ToolServerTrial, saved: ToolServer | undefined): ToolServer {
  const base = saved ?? { ...blank, userId: trial.own === true ? user.id : null };
  const kind = trial.kind ?? base.kind;
  const address = trial.url ?? saved?.url;
  if (address === undefined) throw refuse("url", "The address to test is required");
  const { unusable, ...rest } = base;
  const isReplaced = trial.key !== undefined && trial.headers !== undefined;
  return {
    ...rest,
    kind,
    url: checkedUrl(kind, address),
    specPath: trial.spec_path === undefined ? base.specPath : checkedSpecPath(trial.spec_path),
    authType: trial.auth_type ?? base.authType,
    organizationId:
      trial.organization_id === undefined || base.userId !== null ? base.organizationId : trial.organization_id,
    secrets: {
      ...base.secrets,
      ...(trial.key === undefined ? {} : { key: trial.key }),
      ...(trial.headers ? { headers: checkedToolHeaders(trial.headers, base.secrets) } : {}),
    },
    // Secrets that are entered anew need not be opened.
    ...(unusable !== undefined && !isReplaced ? { unusable } : {}),
  };
}

const blank: ToolServer = {
  id: "trial",
  kind: "openapi",
  name: "The server",
  description: "",
  url: "",
  specPath: "",
  authType: "none",
  functions: [],
  organizationId: null,
  userId: null,
  enabled: true,
  timeout: 60,
  createdAt: 0,
  updatedAt: 0,
  secrets: noSecrets,
  grants: [],
};
