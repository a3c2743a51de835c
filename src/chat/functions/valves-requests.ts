import { requireUser } from "../../access.ts";
import { AppError } from "../../errors.ts";
import { isRecord } from "../../lib/json.ts";
import { findReadable } from "../../plugins/find-plugin.ts";
import { openValves } from "../../plugins/open-plugin.ts";
import { loadUserValves } from "../../plugins/user-valves.ts";
import type { Handler } from "./capabilities.ts";
import { textOf, wrong } from "./request-arguments.ts";

/**
 * Settings of a plugin: its own, as administrators and its person have set them now. Those of others hold keys that their hosts and their
 * authors are trusted with, so no plugin gets them, not even for an administrator. Null for a plugin that the caller cannot see.
 */
export const valvesRequests: Readonly<Record<string, Handler>> = {
  async "plugin.valves"(ctx, args, scope) {
    const found = await findOwn(ctx, args, scope);
    return found && openValves(ctx, found.sealedValves);
  },
  async "plugin.user_valves"(ctx, args, scope) {
    const found = await findOwn(ctx, args, scope);
    if (!found) return null;
    if (textOf("user_id", args["user_id"]) !== requireUser(ctx).id)
      throw new AppError(
        "forbidden",
        "A plugin can read the settings of the person for whom it runs, and of nobody else",
      );
    const { family, id } = found.entry;
    const values = (await loadUserValves(ctx, family, [id])).get(id);
    return isRecord(values) ? values : {};
  },
};

async function findOwn(...[ctx, args, { plugin }]: [...Parameters<Handler>]) {
  const { family, id: given } = args;
  if (family !== "function" && family !== "tool") throw wrong("family", "expected function or tool");
  const id = textOf("id", given);
  const found = await findReadable(ctx, family, id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  });
  if (!found) return null;
  if (plugin?.family === family && plugin.id === id) return found;
  throw new AppError("forbidden", "A plugin can read its own settings only: those of others may hold keys");
}
