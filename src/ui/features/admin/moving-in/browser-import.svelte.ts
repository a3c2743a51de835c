import { httpTarget } from "../../../../shared/moving-in/import-target.ts";
import type { RecordResult } from "../../../../shared/moving-in/import-target.ts";
import { openWebuiFingerprint } from "../../../../shared/moving-in/open-webui/fingerprint.ts";
import { configName, openWebuiReaders } from "../../../../shared/moving-in/open-webui/readers.ts";
import { type Progress, runImport } from "../../../../shared/moving-in/run-import.ts";
import { Tally, type TallyRow } from "../../../../shared/moving-in/tally.ts";
import { at } from "../../../lib/base-path.ts";
import { type ChosenSource, chosenUploads } from "./chosen-source.ts";
import { texts } from "./texts.ts";

/** Reasons that the page shows; the page of the import has all of them. */
const maxShown = 200;

export interface ImportChoices {
  mergeByEmail: boolean;
  withConfig: boolean;
  secret: string;
}

/** An import that this page does: what it is doing now, and what came of it. */
export class BrowserImport {
  state = $state<"idle" | "running" | "done" | "failed">("idle");
  isDryRun = $state(true);
  progress = $state.raw<Progress>();
  rows = $state.raw<TallyRow[]>([]);
  shown = $state.raw<RecordResult[]>([]);
  waiting = $state<string>();
  error = $state<string>();
  importId = $state<string>();
  #running: AbortController | undefined;

  stop(): void {
    this.#running?.abort(new Error(texts.stopped));
  }

  /** Never rejects: the outcome is in `state` and `error`. */
  async run(chosen: ChosenSource, { mergeByEmail, withConfig, secret }: ImportChoices, dryRun: boolean): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    Object.assign(this, {
      state: "running",
      isDryRun: dryRun,
      rows: [],
      shown: [],
      error: undefined,
      waiting: undefined,
    });
    const tally = new Tally();
    const show = () => (this.rows = tally.rows().map((row) => ({ ...row })));
    let database: { close(): void } | undefined;
    try {
      const { openDatabase } = await import("./sqlite-file.ts");
      const source = await openDatabase(chosen.database).catch(() => undefined);
      database = source;
      const fingerprint = source && (await openWebuiFingerprint(source));
      if (!source || fingerprint === undefined) throw new Error(texts.notOpenWebui);
      const target = httpTarget({
        url: location.origin + at(""),
        signal: running.signal,
        onWait: (reason) => (this.waiting = reason),
      });
      this.importId = await target.begin({ source: "open-webui", fingerprint, name: chosen.database.name });
      let shownAt = 0;
      await runImport({
        // In a dry run the settings are listed in any case, so that people know what they would be.
        readers: openWebuiReaders.filter(({ name }) => name !== configName || withConfig || dryRun),
        reading: { source, uploads: chosenUploads(chosen), secret: secret || undefined },
        target,
        importId: this.importId,
        dryRun,
        mergeByEmail,
        onOutcome: (outcome) => {
          this.waiting = undefined;
          tally.add(outcome);
          if (outcome.notes.length > 0 && !outcome.earlier && this.shown.length < maxShown)
            this.shown = [...this.shown, outcome];
        },
        onProgress: (progress) => {
          if (performance.now() - shownAt < 100 && progress.done < progress.total) return;
          shownAt = performance.now();
          this.progress = progress;
          show();
        },
      });
      this.state = "done";
    } catch (cause) {
      this.error = cause instanceof Error ? cause.message : String(cause);
      this.state = "failed";
    } finally {
      database?.close();
      show();
      this.progress = undefined;
    }
  }
}
