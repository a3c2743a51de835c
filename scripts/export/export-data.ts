import path from "node:path";
import process from "node:process";
import { RequestRefused, RunStopped } from "../../src/shared/moving-in/ask-service.ts";
import { ProgressLines } from "../import/progress-lines.ts";
import { StartError } from "../launch/start-error.ts";
import { exportFiles } from "./export-files.ts";
import { ExportFolder } from "./export-folder.ts";
import { ExportSource, type ExportWanted, type ServiceExport } from "./export-source.ts";

export interface ExportCall extends ExportWanted {
  folder: string;
  url: string;
  key: string;
}

/**
 * Writes everything of a running Parley, or of one person, into a folder.
 * @throws StartError if it cannot begin, or is stopped
 */
export async function exportData(call: ExportCall, say: (line: string) => void): Promise<void> {
  const folder = new ExportFolder(call.folder);
  const stopped = new AbortController();
  const stop = () => stopped.abort(new RunStopped("Stopped"));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  const progress = new ProgressLines(process.stdout);
  const { url, key } = call;
  const source = new ExportSource({ url, key, signal: stopped.signal, onWait: (reason) => progress.wait(reason) });
  try {
    const found = await open(source, folder, call);
    // What others refer to comes last: what is added meanwhile refers to nothing that is missing.
    for (const { kind, count } of found.kinds.toReversed())
      await writeKind(source, folder, found.id, { kind, count, progress });
    const files = found.kinds.find(({ kind }) => kind === "file")?.count ?? 0;
    let done = 0;
    const show = () => progress.show({ reader: "bytes of files", done, total: Math.max(files, done) });
    show();
    const missing = await exportFiles(source, found.id, {
      list: folder.fileOf("file"),
      folder: folder.files,
      onDone() {
        done += 1;
        show();
      },
    });
    const gone = { what: "files", count: missing, reason: "Their bytes were gone: only their records are there" };
    const kinds = found.kinds.map(({ kind }) => kind);
    const entries = await folder.complete(kinds, missing > 0 ? [gone] : []);
    progress.end();
    say(summary(call, entries, [...found.left_out, ...(missing > 0 ? [gone] : [])]));
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
    throw new StartError(`${error.message}. The same line again goes on where this run has ended.`, "tryAgain");
  } finally {
    progress.end();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, stop);
  }
}

/** Goes on with what was begun, or begins. @throws StartError, RunStopped */
async function open(source: ExportSource, folder: ExportFolder, call: ExportCall): Promise<ServiceExport> {
  const { scope, person_id, secrets } = call;
  const { begun } = folder;
  try {
    if (begun) {
      if (begun.scope !== scope || begun.secrets !== secrets)
        throw new StartError(
          `The export in ${call.folder} was begun with other options: use the same, or another folder.`,
          "usage",
        );
      return await source.get(begun.exportId);
    }
    const found = await source.begin({ scope, person_id, secrets });
    const { source: name, created_at, left_out } = found;
    folder.begin(found.id, { source: name, scope, secrets, created_at, left_out });
    return found;
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
    if (begun && error.status === 404)
      throw new StartError(
        `The service at ${call.url} does not know the export in ${call.folder}, or it is older than 30 days: choose another folder.`,
        "data",
      );
    throw new StartError(`The service refuses the export: ${error.message}.`, "data");
  }
}

async function writeKind(
  source: ExportSource,
  folder: ExportFolder,
  exportId: string,
  { kind, count, progress }: { kind: string; count: number; progress: ProgressLines },
): Promise<void> {
  let state = folder.open(kind);
  const show = () =>
    progress.show({
      reader: kind.replaceAll("_", " "),
      done: state.records,
      total: state.cursor === null ? state.records : Math.max(count, state.records),
    });
  show();
  while (state.cursor !== null) {
    const before = state;
    state = await source.page(exportId, kind, before.cursor ?? undefined, (lines, cursor) =>
      folder.add(kind, before, lines, cursor),
    );
    show();
  }
}

function summary(
  { folder, scope, secrets }: ExportCall,
  entries: readonly { kind: string; records: number }[],
  leftOut: ServiceExport["left_out"],
): string {
  const name = path.resolve(folder);
  const lines = entries
    .filter(({ records }) => records > 0)
    .map(({ kind, records }) => `  ${kind.replaceAll("_", " ")}: ${records.toLocaleString("en")}`);
  const left = leftOut.map(({ what, count, reason }) => `  ${count.toLocaleString("en")} ${what}. ${reason}`);
  const warning =
    scope === "person"
      ? ""
      : `\n${secrets ? "It holds keys and other secrets in the clear, and" : "It holds"} hashes of passwords and keys: keep it as safe as a backup.\n`;
  return [`Exported to ${name}:`, ...lines, ...(left.length > 0 ? ["Left out:", ...left] : []), warning]
    .join("\n")
    .trimEnd();
}
