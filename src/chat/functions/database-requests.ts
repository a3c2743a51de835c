import { AppError } from "../../errors.ts";
import { fromBase64, toBase64 } from "../../lib/base64.ts";
import { deleteDatabase, listDatabases, loadDatabase, saveDatabase } from "../../plugins/databases/databases.ts";
import type { PluginEntry } from "../../plugins/plugin-index.ts";
import type { CapabilityScope, Handler } from "./capabilities.ts";
import { textOf, wrong } from "./request-arguments.ts";

/** The databases of the plugin that asks: which plugin that is, the service knows, so none can name another one's. */
export const databaseRequests: Readonly<Record<string, Handler>> = {
  "database.list": (ctx, _args, scope) => listDatabases(ctx, pluginOf(scope)),
  /** Null where there is none. */
  async "database.load"(ctx, { path }, scope) {
    const found = await loadDatabase(ctx, pluginOf(scope), pathOf(path));
    return found ? { version: found.version, base64: toBase64(found.bytes) } : null;
  },
  async "database.save"(ctx, { path, base, writer, serial, base64 }, scope) {
    const snapshot = {
      path: pathOf(path),
      base: countOf("base", base),
      writer: idOf("writer", writer),
      serial: countOf("serial", serial),
      bytes: bytesOf(base64),
    };
    return { version: await saveDatabase(ctx, pluginOf(scope), snapshot) };
  },
  async "database.delete"(ctx, { path }, scope) {
    await deleteDatabase(ctx, pluginOf(scope), pathOf(path));
    return true;
  },
};

function pluginOf({ plugin }: CapabilityScope): PluginEntry {
  if (!plugin) throw new AppError("forbidden", "Only plugins have databases");
  return plugin;
}

/** Below the plugin's folder for data. */
function pathOf(value: unknown): string {
  const path = textOf("path", value);
  const isBelow = path.length <= 200 && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
  if (!isBelow || /[\0\\]/.test(path) || !path.isWellFormed())
    throw wrong("path", "not a path below the folder for data");
  return path;
}

function countOf(name: string, value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0)
    throw wrong(name, "expected a whole number");
  return value;
}

function idOf(name: string, value: unknown): string {
  const id = textOf(name, value);
  if (!/^[0-9a-f-]{8,64}$/.test(id)) throw wrong(name, "expected an ID");
  return id;
}

function bytesOf(value: unknown): Uint8Array<ArrayBuffer> {
  try {
    return fromBase64(textOf("base64", value));
  } catch (error) {
    throw wrong("base64", "invalid base64", error);
  }
}
