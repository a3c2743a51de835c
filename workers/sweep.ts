import { sweepAudit } from "../src/audit/sweep-audit.ts";
import { sweepBlobs } from "../src/blobs/sweep-blobs.ts";
import { sweepChannels } from "../src/channels/delete-channel.ts";
import { sweepResponses } from "../src/chat/responses/sweep-responses.ts";
import { sweepAnswers } from "../src/chat/sweep-answers.ts";
import type { Services } from "../src/context.ts";
import { sweepFiles } from "../src/files/sweep-files.ts";
import { sweepUploads } from "../src/files/sweep-uploads.ts";
import { sweepIdentity } from "../src/identity/sweep-identity.ts";
import { sweepJobs } from "../src/jobs/sweep-jobs.ts";
import { sweepSpaces } from "../src/retrieval/embedding/spaces.ts";
import { sweepUsage } from "../src/usage/sweep-usage.ts";
import { sweepWebhooks } from "../src/webhooks/sweep-webhooks.ts";

/** What the timer does every minute. One that fails is logged and holds up no other. */
const sweepers: Readonly<Record<string, (services: Services) => Promise<unknown>>> = {
  identity: sweepIdentity,
  answers: sweepAnswers,
  responses: sweepResponses,
  channels: sweepChannels,
  audit: sweepAudit,
  blobs: sweepBlobs,
  uploads: sweepUploads,
  jobs: sweepJobs,
  files: sweepFiles,
  spaces: sweepSpaces,
  usage: sweepUsage,
  webhooks: sweepWebhooks,
};

export async function sweep(services: Services): Promise<void> {
  const run = ([name, sweeper]: [string, (services: Services) => Promise<unknown>]) =>
    sweeper(services).catch((error: unknown) => services.log.error("a sweeper failed", { sweeper: name, error }));
  await Promise.all(Object.entries(sweepers).map(run));
}
