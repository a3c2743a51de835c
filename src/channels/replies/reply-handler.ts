import { sql } from "drizzle-orm";
import { JobFailure } from "../../jobs/job-failure.ts";
import type { JobHandler } from "../../jobs/job-handler.ts";
import { loadReply } from "./load-reply.ts";
import { endStatement, showReply } from "./reply-store.ts";
import { writeReply } from "./write-reply.ts";

/** Has a model write its answer in a channel: the job's subject is the id of the message that the answer stands in. */
export const replyHandler: JobHandler = {
  async run(services, { subject }, { signal, held }) {
    const reply = await loadReply(services.db, subject);
    if (!reply) return;
    try {
      await writeReply(services, reply, { signal, held });
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new JobFailure("file_timeout", "The answer took too long", { cause: error });
    }
  },
  failed({ db }, { subject }, { code }, condition) {
    const message =
      code === "file_timeout"
        ? "The answer was not finished in time."
        : "The answer failed because of an internal error. The cause is in the log.";
    return [endStatement(db, sql`id = ${subject} AND ${condition}`, { error: { message, code: codes[code] ?? code } })];
  },
  told: (services, { subject }) => showReply(services, subject),
};

/** What failures of jobs are called here. */
const codes: Record<string, string> = { file_timeout: "upstream_timeout" };
