import type { JobHandler } from "../jobs/job-handler.ts";

/** Sends a delivery: the job's subject is its id. */
export const deliverHandler: JobHandler = {
  async run() {},
};
