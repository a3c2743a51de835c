import { replyHandler } from "../channels/replies/reply-handler.ts";
import { extractHandler } from "../files/processing/extract-handler.ts";
import { pullHandler } from "../local-models/pulls/pull-handler.ts";
import { embedHandler } from "../retrieval/embedding/embed-handler.ts";
import { rebuildHandler } from "../retrieval/embedding/rebuild.ts";
import { deliverHandler } from "../webhooks/deliver-handler.ts";
import type { JobHandler } from "./job-handler.ts";
import type { JobKind } from "./tables.ts";

/** Who does what. */
export const jobHandlers: Readonly<Record<JobKind, JobHandler>> = {
  extract: extractHandler,
  embed: embedHandler,
  rebuild: rebuildHandler,
  pull: pullHandler,
  deliver: deliverHandler,
  reply: replyHandler,
};
