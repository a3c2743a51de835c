import { audioRoutes } from "../audio/routes.ts";
import { channelMessageRoutes } from "../channels/messages/routes.ts";
import { channelReplyRoutes } from "../channels/replies/routes.ts";
import { channelRoutes } from "../channels/routes.ts";
import { channelWebhookRoutes } from "../channels/webhooks/routes.ts";
import { actionRoutes } from "../chat/actions/routes.ts";
import { codeRunRoutes } from "../chat/code-runs/routes.ts";
import { compactionRoutes } from "../chat/compaction/routes.ts";
import { completionRoutes } from "../chat/completions/routes.ts";
import { conversationRoutes } from "../chat/conversations/routes.ts";
import { chatEventRoutes } from "../chat/events/routes.ts";
import { folderRoutes } from "../chat/folders/routes.ts";
import { tryRoutes } from "../chat/functions/try-routes.ts";
import { messagesRoutes } from "../chat/messages-api/routes.ts";
import { responsesRoutes } from "../chat/responses-api/routes.ts";
import { sharingRoutes } from "../chat/sharing/routes.ts";
import { taskRoutes } from "../chat/task-routes.ts";
import { toolResultRoutes } from "../chat/tools/routes.ts";
import { transferRoutes } from "../chat/transfer/routes.ts";
import { fileRoutes } from "../documents/files/routes.ts";
import { modelKnowledgeRoutes } from "../documents/knowledge/models/routes.ts";
import { knowledgeRoutes } from "../documents/knowledge/routes.ts";
import { embeddingRoutes, indexRoutes } from "../documents/retrieval/embedding/routes.ts";
import { retrievalRoutes } from "../documents/retrieval/routes.ts";
import { storageRoutes } from "../documents/storage/routes.ts";
import { eventRoutes } from "../events/routes.ts";
import { feedbackRoutes } from "../feedback/routes.ts";
import { repairRoutes } from "../health/repair/routes.ts";
import { healthRoutes } from "../health/routes.ts";
import type { Router } from "../http/routes.ts";
import { imageRoutes } from "../images/routes.ts";
import { importRoutes } from "../imports/routes.ts";
import { copyRoutes } from "../life/copy/routes.ts";
import { erasureRoutes } from "../life/erasure/routes.ts";
import { exportRoutes } from "../life/export/routes.ts";
import { retentionRoutes } from "../life/retention/routes.ts";
import { localModelAdminRoutes } from "../local-models/admin-routes.ts";
import { localModelRoutes } from "../local-models/routes.ts";
import { machineRoutes } from "../machine/routes.ts";
import { mailRoutes } from "../mail/routes.ts";
import { memoryRoutes } from "../memories/routes.ts";
import { historyRoutes } from "../metrics/history/routes.ts";
import { metricRoutes } from "../metrics/routes.ts";
import { workRoutes } from "../metrics/work-routes.ts";
import { catalogRoutes } from "../models/catalog/routes.ts";
import { connectionRoutes } from "../models/connections/routes.ts";
import { withDirectConnections } from "../models/direct-connections/own-settings.ts";
import { directConnectionRoutes } from "../models/direct-connections/routes.ts";
import { storedModelRoutes } from "../models/stored-models/routes.ts";
import { auditRoutes } from "../people/audit/routes.ts";
import { accountRoutes } from "../people/auth/account/routes.ts";
import { apiKeyAdminRoutes } from "../people/auth/api-keys/admin-routes.ts";
import { apiKeyRoutes } from "../people/auth/api-keys/routes.ts";
import { oidcRoutes } from "../people/auth/oidc/routes.ts";
import { passkeyRoutes } from "../people/auth/passkeys/routes.ts";
import { passwordResetRoutes } from "../people/auth/password-reset/routes.ts";
import { secondFactorRoutes } from "../people/auth/second-factor/routes.ts";
import { sessionRoutes } from "../people/auth/sessions/routes.ts";
import { signInRoutes } from "../people/auth/sign-in/routes.ts";
import { groupRoutes } from "../people/groups/routes.ts";
import { holdRoutes } from "../people/holds/routes.ts";
import { invitationRoutes } from "../people/invitations/routes.ts";
import { operatorRoutes } from "../people/operator/routes.ts";
import { landingRoutes } from "../people/organizations/landing-routes.ts";
import { organizationRoutes } from "../people/organizations/routes.ts";
import { serviceAccountRoutes } from "../people/service-accounts/routes.ts";
import { ownUserRoutes } from "../people/users/own-routes.ts";
import { userRoutes } from "../people/users/routes.ts";
import { pictureRoutes } from "../pictures/routes.ts";
import { functionRoutes } from "../plugins/function-routes.ts";
import { packageDownloadRoutes } from "../plugins/packages/downloads/routes.ts";
import { packageRoutes } from "../plugins/packages/routes.ts";
import { runnerRoutes } from "../plugins/runners/routes.ts";
import { toolRoutes } from "../plugins/tool-routes.ts";
import { toolServerRoutes } from "../plugins/tool-servers/routes.ts";
import { pluginImportRoutes } from "../plugins/transfer/routes.ts";
import { promptRoutes } from "../prompts/routes.ts";
import { scimRoutes } from "../scim/routes.ts";
import { scimStatusRoutes } from "../scim/status/routes.ts";
import { bannerRoutes } from "../settings/banners/routes.ts";
import { settingsRoutes } from "../settings/routes.ts";
import { quotaRoutes } from "../usage/quotas/routes.ts";
import { usageRoutes } from "../usage/routes.ts";
import { webRoutes } from "../web/routes.ts";
import { ownSettings } from "../webhooks/own-settings.ts";
import { webhookRoutes } from "../webhooks/routes.ts";
import { targetRoutes } from "../webhooks/targets/routes.ts";

/** Every router of the service. Their order decides nothing but the order of the routes in the documentation. */
export function createRouters(): Router[] {
  return [
    healthRoutes(),
    metricRoutes(),
    connectionRoutes(),
    storedModelRoutes(),
    modelKnowledgeRoutes(),
    catalogRoutes(),
    localModelAdminRoutes(),
    localModelRoutes(),
    tryRoutes(),
    functionRoutes(),
    toolRoutes(),
    packageRoutes(),
    runnerRoutes(),
    packageDownloadRoutes(),
    pluginImportRoutes(),
    completionRoutes(),
    messagesRoutes(),
    responsesRoutes(),
    actionRoutes(),
    codeRunRoutes(),
    chatEventRoutes(),
    sharingRoutes(),
    transferRoutes(),
    folderRoutes(),
    compactionRoutes(),
    conversationRoutes(),
    feedbackRoutes(),
    fileRoutes(),
    storageRoutes(),
    machineRoutes(),
    pictureRoutes(),
    embeddingRoutes(),
    indexRoutes(),
    retrievalRoutes(),
    webRoutes(),
    imageRoutes(),
    audioRoutes(),
    knowledgeRoutes(),
    promptRoutes(),
    memoryRoutes(),
    toolResultRoutes(),
    taskRoutes(),
    eventRoutes(),
    signInRoutes(),
    toolServerRoutes(),
    oidcRoutes(),
    sessionRoutes(),
    accountRoutes(),
    invitationRoutes(),
    passwordResetRoutes(),
    secondFactorRoutes(),
    passkeyRoutes(),
    mailRoutes(),
    apiKeyRoutes(),
    apiKeyAdminRoutes(),
    settingsRoutes(),
    bannerRoutes(),
    auditRoutes(),
    ownUserRoutes(withDirectConnections(ownSettings)),
    directConnectionRoutes(),
    serviceAccountRoutes(),
    operatorRoutes(),
    workRoutes(),
    repairRoutes(),
    historyRoutes(),
    userRoutes(),
    groupRoutes(),
    organizationRoutes(),
    landingRoutes(),
    retentionRoutes(),
    copyRoutes(),
    erasureRoutes(),
    exportRoutes(),
    importRoutes(),
    holdRoutes(),
    channelWebhookRoutes(),
    channelMessageRoutes(),
    channelReplyRoutes(),
    channelRoutes(),
    usageRoutes(),
    quotaRoutes(),
    webhookRoutes(),
    targetRoutes(),
    scimStatusRoutes(),
    scimRoutes(),
  ];
}
