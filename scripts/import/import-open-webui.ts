import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { openWebuiFingerprint } from "../../src/shared/moving-in/open-webui/fingerprint.ts";
import { configName, openWebuiReaders } from "../../src/shared/moving-in/open-webui/readers.ts";
import { StartError } from "../launch/start-error.ts";
import { chooseReaders, type ImportCall, type ImportPlace } from "./import-place.ts";
import type { OpenSource } from "./open-source.ts";
import { openUploads } from "./uploads.ts";

/** An Open WebUI. @throws StartError */
export function openWebuiPlace(call: ImportCall): ImportPlace {
  const readers = chooseReaders(openWebuiReaders, configName, call);
  const found = findSource(call);
  const uploads = openUploads(found.uploads, call.env);
  return {
    product: "open-webui",
    name: found.name,
    readers,
    async open() {
      const source = await found.open();
      const fingerprint = await openWebuiFingerprint(source);
      if (fingerprint === undefined) {
        await source.close();
        throw new StartError(`${found.name} is not a database of Open WebUI, or it has no accounts.`, "data");
      }
      return { reading: { source, uploads, secret: call.secret }, fingerprint, close: () => source.close() };
    },
  };
}

interface FoundSource {
  /** Without a password. */
  name: string;
  uploads: string | undefined;
  open(): Promise<OpenSource>;
}

/** @throws StartError */
function findSource({ source, uploads }: ImportCall): FoundSource {
  if (/^postgres(ql)?:\/\//.test(source)) {
    const { host, pathname } = new URL(source);
    const open = async () => (await import("./postgres-source.ts")).openPostgres(source);
    return { name: `${host}${pathname}`, uploads, open };
  }
  if (!existsSync(source)) throw new StartError(`There is no ${source}.`, "noInput");
  const file = statSync(source).isDirectory() ? path.join(source, "webui.db") : source;
  if (!existsSync(file)) throw new StartError(`There is no webui.db in ${source}.`, "noInput");
  const beside = path.join(path.dirname(file), "uploads");
  return {
    name: file,
    uploads: uploads ?? (existsSync(beside) ? beside : undefined),
    open: async () => (await import("./sqlite-source.ts")).openSqlite(file),
  };
}
