import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isRecord } from "../../lib/json.ts";
import { openPlugin } from "../../plugins/open-plugin.ts";
import type { PluginCapabilities } from "../../plugins/plugin-host.ts";
import type { PluginEntry } from "../../plugins/plugin-index.ts";
import { ProviderFailure } from "../../upstream/errors/provider-failure.ts";
import type { ProviderList } from "../drivers/driver.ts";
import { subModels } from "./pipe-connection.ts";

export type PipeContext = Pick<
  Context,
  "db" | "vault" | "plugins" | "blobs" | "settings" | "log" | "environment" | "now" | "waitUntil"
>;

/** The list is the same for all people: the requesting person's permissions are not used. */
const nobody: PluginCapabilities = {
  emit: () => Promise.resolve(),
  call: () => Promise.reject(new AppError("no_client", "People cannot be asked while models are listed")),
  request: () => Promise.reject(new AppError("forbidden", "Permissions are not available while models are listed")),
};

/**
 * Asks a pipe's `pipes()` for its models.
 * @throws ProviderFailure with a message for people.
 */
export async function askPipes(
  ctx: PipeContext,
  pipe: PluginEntry,
  signal: AbortSignal,
  budgetMs: number,
): Promise<ProviderList> {
  const session = openPlugin(ctx, pipe);
  try {
    const result = await session.call({
      method: "pipes",
      args: {},
      reserved: {},
      capabilities: nobody,
      signal,
      timeoutMs: budgetMs,
    });
    if (!result.ok) {
      const reason = result.error.code === "timeout" ? "timeout" : "provider_error";
      throw new ProviderFailure(reason, `${pipe.name}: ${result.error.message}`.slice(0, 1000));
    }
    // Some answer with what a provider's list looks like.
    const entries = isRecord(result.value) ? result.value["data"] : result.value;
    if (!Array.isArray(entries))
      throw new ProviderFailure("not_a_model_list", `${pipe.name} did not return a list of models`);
    return { models: subModels(pipe, entries), apiRoot: "" };
  } finally {
    session.close();
  }
}
