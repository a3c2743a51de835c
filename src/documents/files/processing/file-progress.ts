import { sql } from "drizzle-orm";
import type { Services } from "../../../context.ts";
import type { JobRun } from "../../../jobs/job-handler.ts";
import { publishState } from "../publish-file-state.ts";
import type { files } from "../tables.ts";

type FileRow = typeof files.$inferSelect;

/** Milliseconds between two things that tabs are told of a file. */
const intervalMs = 250;

/** Tells how far the reading of a file is: its owner's tabs at once, the database with the job's next sign of life. */
export class FileProgress {
  readonly #services: Services;
  readonly #file: { id: string; userId: string };
  readonly #run: Pick<JobRun, "progress" | "held">;
  readonly #isForward: boolean;
  #lastTold = 0;

  /** @param isForward whether what was done so far is still there when the job is begun again */
  constructor(
    services: Services,
    file: { id: string; userId: string },
    run: Pick<JobRun, "progress" | "held">,
    isForward: boolean,
  ) {
    this.#services = services;
    this.#file = file;
    this.#run = run;
    this.#isForward = isForward;
  }

  say(
    stage: NonNullable<FileRow["stage"]>,
    done: number,
    total: number | null,
    unit: NonNullable<FileRow["progressUnit"]>,
  ): void {
    const { db } = this.#services;
    const { id, userId } = this.#file;
    this.#run.progress(
      [
        db.run(sql`
          UPDATE files SET stage = ${stage}, progress_done = ${done}, progress_total = ${total}, progress_unit = ${unit}
          WHERE id = ${id} AND state = 'pending' AND ${this.#run.held}`),
      ],
      this.#isForward,
    );
    const now = Date.now();
    if (now - this.#lastTold < intervalMs) return;
    this.#lastTold = now;
    const row = {
      id,
      userId,
      state: "pending",
      stage,
      progressDone: done,
      progressTotal: total,
      progressUnit: unit,
    } as const;
    this.#services.waitUntil(publishState(this.#services, { ...row, errorCode: null, error: null }));
  }
}
