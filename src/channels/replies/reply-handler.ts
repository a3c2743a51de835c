import type { JobHandler } from "../../jobs/job-handler.ts";

/** Has a model write its answer in a channel: the job's subject is the id of the message that the answer stands in. */
export const replyHandler: JobHandler = {
  async run() {},
};
