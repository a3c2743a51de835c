import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { isRecord } from "../../lib/json.ts";
import { usualPolicy, usualQuirks } from "../calling/schema.ts";
import { lookUpList } from "../catalog/look-up-list.ts";
import { fetchList } from "../drivers/fetch-list.ts";
import type { LocalRuntime } from "./schema.ts";

/** The default address of local runtimes. */
const usualAddress = "http://127.0.0.1:11434";

/** A response on the same machine takes milliseconds, and the page must not wait if there is none. */
const probeBudgetMs = 1000;

/**
 * Looks for a local runtime on this machine.
 * @throws AppError `forbidden`.
 */
export async function findLocalRuntime(
  ctx: Context,
  baseUrl = usualAddress,
  budgetMs = probeBudgetMs,
): Promise<LocalRuntime> {
  requireAdmin(ctx);
  const connection = {
    id: "probe",
    kind: "local" as const,
    name: "",
    baseUrl,
    key: undefined,
    headers: {},
    organizationId: null,
    prefixId: "",
    modelIds: [],
    tags: [],
    enabled: true,
    quirks: usualQuirks,
    policy: usualPolicy,
    locked: false,
    createdAt: 0,
    updatedAt: 0,
  };
  const [{ list }, version] = await Promise.all([
    lookUpList(ctx, connection, budgetMs),
    readVersion(ctx, baseUrl, budgetMs),
  ]);
  if (!list) return { found: false, base_url: baseUrl };
  return {
    found: true,
    base_url: baseUrl,
    models: list.models.map((model) => model.id),
    ...(version !== undefined ? { version } : {}),
  };
}

async function readVersion(ctx: Context, baseUrl: string, budgetMs: number): Promise<string | undefined> {
  try {
    const target = { baseUrl, key: undefined, headers: {} };
    const value = await fetchList(
      target,
      `${baseUrl}/api/version`,
      ctx.outbound.trusted,
      AbortSignal.timeout(budgetMs),
    );
    return isRecord(value) && typeof value.version === "string" ? value.version.slice(0, 40) : undefined;
  } catch {
    return undefined;
  }
}
