import { replyHandler } from "../channels/replies/reply-handler.ts";
import { extractHandler } from "../documents/files/processing/extract-handler.ts";
import { embedHandler } from "../documents/retrieval/embedding/embed-handler.ts";
import { rebuildHandler } from "../documents/retrieval/embedding/rebuild.ts";
import type { JobHandler } from "../jobs/job-handler.ts";
import type { JobKind } from "../jobs/tables.ts";
import { pullHandler } from "../local-models/pulls/pull-handler.ts";
import { mailHandler } from "../mail/mail-handler.ts";
import { downloadHandler } from "../plugins/packages/downloads/download-handler.ts";
import { deliverHandler } from "../webhooks/deliver-handler.ts";

/** The handler of each job kind. */
export const jobHandlers: Readonly<Record<JobKind, JobHandler>> = {
  extract: extractHandler,
  embed: embedHandler,
  rebuild: rebuildHandler,
  pull: pullHandler,
  deliver: deliverHandler,
  reply: replyHandler,
  mail: mailHandler,
  packages: downloadHandler,
};
