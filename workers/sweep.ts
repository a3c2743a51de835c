import { sweepBlobs } from "../src/blobs/sweep-blobs.ts";
import { sweepChannels } from "../src/channels/delete-channel.ts";
import { sweepResponses } from "../src/chat/responses-api/sweep-responses.ts";
import { sweepAnswers } from "../src/chat/sweep-answers.ts";
import type { Services } from "../src/context.ts";
import { sweepFiles } from "../src/documents/files/sweep-files.ts";
import { sweepUploads } from "../src/documents/files/sweep-uploads.ts";
import { sweepSpaces } from "../src/documents/retrieval/embedding/spaces.ts";
import { sweepJobs } from "../src/jobs/sweep-jobs.ts";
import { sweepAudit } from "../src/people/audit/sweep-audit.ts";
import { sweepIdentity } from "../src/people/sweep-identity.ts";
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
