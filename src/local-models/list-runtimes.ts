import { requireAdmin } from "../access.ts";
import type { Context } from "../context.ts";
import { isRecord } from "../lib/json.ts";
import { defaultBudgetMs } from "../models/catalog/look-up-list.ts";
import { withPrefix, type Connection } from "../models/connections/connection.ts";
import { fetchList } from "../models/drivers/fetch-list.ts";
import { ProviderFailure } from "../upstream/errors/provider-failure.ts";
import { runtimesFor } from "./runtimes.ts";
import type { HeldModel, RuntimeView } from "./schema.ts";

/** Every local runtime with its models and what of them is in memory, asked now, all at the same time. @throws AppError `forbidden` */
export async function listRuntimes(ctx: Context): Promise<RuntimeView[]> {
  requireAdmin(ctx);
  const { runtimes } = await runtimesFor(ctx);
  return Promise.all(runtimes.map((runtime, index) => describe(ctx, runtime, index)));
}

async function describe(ctx: Context, runtime: Connection, index: number): Promise<RuntimeView> {
  const signal = AbortSignal.timeout(defaultBudgetMs);
  const ask = (path: string) => fetchList(runtime, `${runtime.baseUrl}${path}`, ctx.outbound.trusted, signal);
  const [tags, loaded, version] = await Promise.allSettled([ask("/api/tags"), ask("/api/ps"), ask("/api/version")]);
  const plain = tags.status === "rejected" && hasNoTags(tags.reason) ? await settle(ask("/v1/models")) : tags;
  const inMemory = loaded.status === "fulfilled" ? entriesIn(loaded.value, "models") : [];
  const said = version.status === "fulfilled" && isRecord(version.value) ? version.value["version"] : undefined;
  return {
    id: runtime.id,
    index,
    name: runtime.name,
    base_url: runtime.baseUrl,
    prefix_id: runtime.prefixId,
    organization_id: runtime.organizationId,
    version: typeof said === "string" ? said.slice(0, 40) : null,
    error: plain.status === "rejected" ? wordsOf(plain.reason) : null,
    manages: tags.status === "fulfilled",
    models:
      plain.status === "rejected"
        ? []
        : [...entriesIn(plain.value, "models"), ...entriesIn(plain.value, "data")].flatMap((entry) =>
            heldModels(runtime, entry, inMemory),
          ),
  };
}

async function settle(asked: Promise<unknown>): Promise<PromiseSettledResult<unknown>> {
  const [result] = await Promise.allSettled([asked]);
  return result!;
}

function hasNoTags(error: unknown): boolean {
  return error instanceof ProviderFailure && (error.reason === "not_found" || error.reason === "not_a_model_list");
}

function wordsOf(error: unknown): string {
  return error instanceof ProviderFailure ? error.message : "The runtime could not be reached";
}

function entriesIn(value: unknown, name: "models" | "data"): Record<string, unknown>[] {
  const list = isRecord(value) ? value[name] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function heldModels(
  runtime: Connection,
  entry: Record<string, unknown>,
  inMemory: readonly Record<string, unknown>[],
): HeldModel[] {
  const name = nameOf(entry);
  if (name === undefined) return [];
  const details = isRecord(entry["details"]) ? entry["details"] : {};
  const loaded = inMemory.find((each) => nameOf(each) === name);
  return [
    {
      name,
      id: withPrefix(runtime, name),
      size: whole(entry["size"]),
      modified_at: secondsOf(entry["modified_at"]),
      digest: text(entry["digest"]),
      family: text(details["family"]),
      parameter_size: text(details["parameter_size"]),
      quantization: text(details["quantization_level"]),
      loaded: loaded
        ? {
            size: whole(loaded["size"]) ?? 0,
            size_vram: whole(loaded["size_vram"]) ?? 0,
            expires_at: secondsOf(loaded["expires_at"]),
          }
        : null,
    },
  ];
}

function nameOf(entry: Record<string, unknown>): string | undefined {
  const name = entry["model"] ?? entry["name"] ?? entry["id"];
  return typeof name === "string" && name !== "" && name.length <= 512 ? name : undefined;
}

function text(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 200) : "";
}

function whole(value: unknown): number | null {
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? Math.floor(value) : null;
}

/** Beyond it lies what runtimes write for what never ends: epoch seconds of the year 2200. */
const farAway = 7_258_118_400;

function secondsOf(value: unknown): number | null {
  const at = typeof value === "string" ? Date.parse(value) / 1000 : Number.NaN;
  return Number.isFinite(at) && at > 0 && at < farAway ? Math.floor(at) : null;
}
