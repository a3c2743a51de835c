import { existsSync, statSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { httpTarget, ImportStopped } from "../../src/shared/moving-in/import-target.ts";
import { openWebuiFingerprint } from "../../src/shared/moving-in/open-webui/fingerprint.ts";
import { configName, openWebuiReaders } from "../../src/shared/moving-in/open-webui/readers.ts";
import type { Reader } from "../../src/shared/moving-in/row-source.ts";
import { runImport } from "../../src/shared/moving-in/run-import.ts";
import { Tally } from "../../src/shared/moving-in/tally.ts";
import { StartError } from "../launch/start-error.ts";
import type { OpenSource } from "./open-source.ts";
import { ProgressLines } from "./progress-lines.ts";
import { Report, summaryTable } from "./report.ts";
import { openUploads } from "./uploads.ts";

export interface ImportCall {
  source: string;
  url: string;
  key: string;
  uploads: string | undefined;
  dryRun: boolean;
  only: readonly string[] | undefined;
  mergeByEmail: boolean;
  withConfig: boolean;
  report: string;
  secret: string | undefined;
  env: NodeJS.ProcessEnv;
}

/**
 * Brings everything of an Open WebUI into a running Parley.
 * @throws StartError if it cannot begin, is stopped, or some records have failed
 */
export async function importOpenWebui(call: ImportCall, say: (line: string) => void): Promise<void> {
  const readers = chooseReaders(call);
  const place = findSource(call);
  const uploads = openUploads(place.uploads, call.env);
  const source = await place.open();
  const stopped = new AbortController();
  const stop = () => stopped.abort(new ImportStopped("Stopped"));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  const progress = new ProgressLines(process.stdout);
  try {
    const fingerprint = await openWebuiFingerprint(source);
    if (fingerprint === undefined)
      throw new StartError(`${place.name} is not a database of Open WebUI, or it has no accounts.`, "data");
    const { signal } = stopped;
    const { url, key, dryRun, mergeByEmail, secret } = call;
    const target = httpTarget({ url, key, signal, onWait: (reason) => progress.wait(reason) });
    const importId = await target.begin({ source: "open-webui", fingerprint, name: place.name });
    const tally = new Tally();
    const report = new Report(call.report);
    const title = `${dryRun ? "What would arrive" : "What has arrived"} from ${place.name}`;
    try {
      await runImport({
        readers,
        reading: { source, uploads, secret },
        target,
        importId,
        dryRun,
        mergeByEmail,
        onOutcome(outcome) {
          tally.add(outcome);
          report.add(outcome);
        },
        onProgress: (state) => progress.show(state),
      });
    } finally {
      progress.end();
      await report.write(title, tally);
      say(`${title}\n\n${summaryTable(tally)}\nReport: ${call.report}`);
    }
    const failed = tally.sum("failed");
    if (failed > 0)
      throw new StartError(
        `${failed === 1 ? "One record has" : `${failed} records have`} failed: the report says why. The same line again tries them again.`,
        "data",
      );
  } catch (error) {
    if (!(error instanceof ImportStopped)) throw error;
    throw new StartError(`${error.message}. The same line again goes on where this run has ended.`, "tryAgain");
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, stop);
    await source.close();
  }
}

/** @throws StartError for names that there are not */
function chooseReaders({ only, withConfig, dryRun }: ImportCall): Reader[] {
  const names = openWebuiReaders.map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new StartError(`--only does not know "${unknown}". There are: ${names.join(", ")}.`, "usage");
  return openWebuiReaders.filter(({ name }) => only?.includes(name) ?? (name !== configName || withConfig || dryRun));
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
