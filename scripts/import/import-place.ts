import process from "node:process";
import { RunStopped } from "../../src/shared/moving-in/ask-service.ts";
import { httpTarget } from "../../src/shared/moving-in/import-target.ts";
import type { Reader, Reading } from "../../src/shared/moving-in/row-source.ts";
import { runImport } from "../../src/shared/moving-in/run-import.ts";
import { Tally } from "../../src/shared/moving-in/tally.ts";
import { StartError } from "../launch/start-error.ts";
import { ProgressLines } from "./progress-lines.ts";
import { Report, summaryTable } from "./report.ts";

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

/** What is imported, found but not read yet. */
export interface ImportPlace {
  product: "open-webui" | "parley";
  /** Without a password. */
  name: string;
  readers: readonly Reader[];
  open(): Promise<OpenedPlace>;
}

interface OpenedPlace {
  reading: Reading;
  /** The same for every copy of one source. */
  fingerprint: string;
  close(): Promise<void>;
}

/** Of those that `--only` names, or all but the configuration. @throws StartError for names that there are not */
export function chooseReaders(
  all: readonly Reader[],
  configName: string,
  { only, withConfig, dryRun }: ImportCall,
): Reader[] {
  const names = all.map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new StartError(`--only does not know "${unknown}". There are: ${names.join(", ")}.`, "usage");
  return all.filter(({ name }) => only?.includes(name) ?? (name !== configName || withConfig || dryRun));
}

/**
 * Brings everything of a place into a running Parley.
 * @throws StartError if it cannot begin, is stopped, or some records have failed
 */
export async function importPlace(place: ImportPlace, call: ImportCall, say: (line: string) => void): Promise<void> {
  const opened = await place.open();
  const stopped = new AbortController();
  const stop = () => stopped.abort(new RunStopped("Stopped"));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  const progress = new ProgressLines(process.stdout);
  try {
    const { signal } = stopped;
    const { url, key, dryRun, mergeByEmail } = call;
    const target = httpTarget({ url, key, signal, onWait: (reason) => progress.wait(reason) });
    const importId = await target.begin({
      source: place.product,
      fingerprint: opened.fingerprint,
      name: place.name,
    });
    const tally = new Tally();
    const report = new Report(call.report);
    const title = `${dryRun ? "What would arrive" : "What has arrived"} from ${place.name}`;
    try {
      await runImport({
        readers: place.readers,
        reading: opened.reading,
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
    if (!(error instanceof RunStopped)) throw error;
    throw new StartError(`${error.message}. The same line again goes on where this run has ended.`, "tryAgain");
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, stop);
    await opened.close();
  }
}
