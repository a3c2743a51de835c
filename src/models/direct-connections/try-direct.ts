import type { Context } from "../../context.ts";
import { refused } from "../../http/check-headers.ts";
import { fingerprintOf, lookUpList } from "../catalog/look-up-list.ts";
import { askAll } from "../catalog/provider-lists.ts";
import { blankConnection, type Connection } from "../connections/connection.ts";
import type { TrialResult } from "../connections/schema.ts";
import { trialBudgetMs, trialResultOf } from "../connections/try-connection.ts";
import { checkedDirectUrl, ownRow } from "./direct-connections.ts";
import { openDirectConnection } from "./load-direct.ts";
import { requireDirect } from "./may-use-direct.ts";
import type { DirectTrial } from "./schema.ts";

/**
 * Asks a provider for its models, with the given fields and, with an id, the saved ones for the rest.
 * @throws AppError `forbidden`, `not_found`, `validation_failed`, `address_not_allowed`; a failing provider is a result,
 *   not an error
 */
export async function tryDirectConnection(ctx: Context, trial: DirectTrial): Promise<TrialResult> {
  const user = requireDirect(ctx);
  const row = trial.id === undefined ? undefined : await ownRow(ctx, user, trial.id);
  const saved = row && (await openDirectConnection(ctx.vault, row));
  const kind = trial.kind ?? row?.kind ?? "openai";
  const address = trial.base_url ?? saved?.baseUrl;
  if (address === undefined) throw refused([{ path: "base_url", message: "Required" }]);
  const { unusable, ...rest } = saved ?? { ...blankConnection, id: "trial", ownerId: user.id };
  const connection: Connection = {
    ...rest,
    kind,
    baseUrl: checkedDirectUrl(ctx, kind, address),
    key: trial.key === undefined ? saved?.key : trial.key || undefined,
    // A key that is entered again need not be opened.
    ...(unusable !== undefined && trial.key === undefined ? { unusable } : {}),
  };
  const look =
    saved && fingerprintOf(saved) === fingerprintOf(connection)
      ? await askAll(ctx, [saved], trialBudgetMs).get(saved.id)!
      : await lookUpList(ctx, connection, trialBudgetMs);
  return trialResultOf(connection, look);
}
