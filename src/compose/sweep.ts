import { sweepBlobs } from "../blobs/sweep-blobs.ts";
import { sweepChannels } from "../channels/delete-channel.ts";
import { sweepChannelSearch } from "../channels/messages/sweep-channel-search.ts";
import { sweepChatSearch } from "../chat/conversations/sweep-chat-search.ts";
import { sweepResponses } from "../chat/responses-api/sweep-responses.ts";
import { sweepAnswers } from "../chat/sweep-answers.ts";
import type { Services } from "../context.ts";
import { sweepFiles } from "../documents/files/sweep-files.ts";
import { sweepUploads } from "../documents/files/sweep-uploads.ts";
import { sweepSpaces } from "../documents/retrieval/embedding/spaces.ts";
import { sweepJobs } from "../jobs/sweep-jobs.ts";
import { sweepErasures } from "../life/erasure/run-erasure.ts";
import { sweepRetention } from "../life/retention/sweep-retention.ts";
import { sweepMail } from "../mail/sweep-mail.ts";
import { recordHistory } from "../metrics/history/record-history.ts";
import { sweepAudit } from "../people/audit/sweep-audit.ts";
import { sweepIdentity } from "../people/sweep-identity.ts";
import { sweepPluginUse } from "../plugins/use/write-use.ts";
import { sweepUsage } from "../usage/sweep-usage.ts";
import { sweepWebhooks } from "../webhooks/sweep-webhooks.ts";

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
  pluginUse: sweepPluginUse,
  webhooks: sweepWebhooks,
  mail: sweepMail,
  history: recordHistory,
  retention: sweepRetention,
  erasures: sweepErasures,
  chatSearch: sweepChatSearch,
  channelSearch: sweepChannelSearch,
};

export async function sweep(services: Services): Promise<void> {
  const run = ([name, sweeper]: [string, (services: Services) => Promise<unknown>]) =>
    sweeper(services).catch((error: unknown) => services.log.error("a sweeper failed", { sweeper: name, error }));
  await Promise.all(Object.entries(sweepers).map(run));
}
