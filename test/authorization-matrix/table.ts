import { audioTable } from "./audio-table.ts";
import {
  always,
  both,
  everyone,
  filter,
  forId,
  insideOrganization,
  managers,
  managersOf,
  owner,
  ownerOrSystemAdmin,
  reference,
  signedIn,
  systemAdmin,
  systemAdminOf,
  type Row,
} from "./cells.ts";
import { channelMessageTable } from "./channel-message-table.ts";
import { channelReplyTable } from "./channel-reply-table.ts";
import { channelTable } from "./channel-table.ts";
import { channelWebhookTable } from "./channel-webhook-table.ts";
import { completionTable } from "./completion-table.ts";
import { directConnectionTable } from "./direct-connection-table.ts";
import { embeddingTable } from "./embedding-table.ts";
import { exportTable } from "./export-table.ts";
import { feedbackTable } from "./feedback-table.ts";
import { fileTable } from "./file-table.ts";
import { folderTable } from "./folder-table.ts";
import { gettingInTable } from "./getting-in-table.ts";
import { imageTable } from "./image-table.ts";
import { importTable } from "./import-table.ts";
import { knowledgeTable } from "./knowledge-table.ts";
import { lifeTable } from "./life-table.ts";
import { localModelTable } from "./local-model-table.ts";
import { password } from "./matrix-world.ts";
import { operatorTable } from "./operator-table.ts";
import { pluginTable } from "./plugin-table.ts";
import { promptTable } from "./prompt-table.ts";
import { responsesTable } from "./responses-table.ts";
import { retrievalTable } from "./retrieval-table.ts";
import { scimTable } from "./scim-table.ts";
import { serviceAccountTable } from "./service-account-table.ts";
import { targetTable } from "./target-table.ts";
import { usageTable } from "./usage-table.ts";
import { webhookTable } from "./webhook-table.ts";

const newName = () => `name-${crypto.randomUUID()}`;
const newAddress = () => `${crypto.randomUUID()}@harbour.example`;

const list: Row = { may: everyone };
const administration: Row = { may: systemAdmin };
const chat: Row = { ids: { id: "chat" }, may: owner };
const message = { id: "chat", message_id: "message" } as const;
const group: Row = { ids: { id: "group" }, may: managersOf };
const person: Row = { ids: { id: "user" }, may: managersOf };
const modelInQuery: Row = {
  ids: { id: "model" },
  say: ({ id = "" }) => ({ query: { id } }),
  may: ownerOrSystemAdmin,
};
const members: Row = {
  ids: { id: "group", user_ids: "user" },
  say: ({ user_ids }) => ({ json: { user_ids: [user_ids] } }),
  // People of one organization are no members of another one's group.
  may: forId({ user_ids: both(managers, reference) }, (cell) =>
    cell.caller === "system admin" && cell.variant === "foreign organization" ? 422 : managersOf(cell),
  ),
};
const audit: Row = {
  ids: { actor_id: "user", target_id: "chat", organization_id: "organization" },
  say: ({ actor_id = "", target_id = "", organization_id = "" }) => ({
    query: { actor_id, target_id, organization_id },
  }),
  may: both(managers, filter),
};
const landingRules: Row = {
  ids: { organization_id: "organization" },
  say: ({ organization_id }) => ({
    json: { rules: [{ kind: "email_domain", value: "harbour.example", organization_id }] },
  }),
  may: both(systemAdmin, reference),
};
const newOrganization: Row = { say: () => ({ json: { name: newName() } }), may: systemAdmin };

/** A global action is there for everybody. */
const anyAction: Row["may"] = ({ variant }) => {
  if (variant === "malformed") return [404, 422];
  return variant === "deleted" ? 404 : "ok";
};

/** Administrators may say what they like of models that no provider lists now. */
const anyModel: Row["may"] = (cell) => {
  if (cell.caller !== "system admin") return owner(cell);
  return cell.variant === "malformed" ? [200, 422] : "ok";
};
const anyBase: Row["may"] = ({ caller, variant }) => {
  if (variant === "malformed") return caller === "system admin" ? [200, 422] : 422;
  return variant === "deleted" && caller !== "system admin" ? 422 : "ok";
};
/** Everything looks as if it had no picture of its own. */
const pictureOfModel: Row["may"] = ({ variant }) => (variant === "malformed" ? [302, 422] : 302);
/** Whoever imports chooses the names; one that is somebody else's is refused. */
const importedModel: Row["may"] = ({ caller, variant }) => {
  if (variant === "malformed") return [200, 403, 422];
  return variant.startsWith("foreign") && caller !== "system admin" ? 403 : "ok";
};

/** Every route that is not open to everyone, with who may do what there. A route without a row fails the test. */
export const table: Readonly<Record<string, Row>> = {
  ...operatorTable,
  ...gettingInTable,
  ...pluginTable,

  // Connections belong to the service: only its administrators know that they exist.
  "GET /api/v1/connections": administration,
  "POST /api/v1/connections": {
    ids: { organization_id: "organization" },
    say: ({ organization_id }) => ({
      json: { organization_id, kind: "openai", base_url: "https://models.example/v1", enabled: false },
    }),
    may: both(systemAdmin, reference),
  },
  "POST /api/v1/connections/verify": {
    ids: { id: "connection" },
    say: ({ id }) => ({ json: { id } }),
    may: systemAdminOf,
  },
  "GET /api/v1/connections/local-runtime": administration,
  "GET /api/v1/connections/:id": { ids: { id: "connection" }, may: systemAdminOf },
  "PATCH /api/v1/connections/:id": {
    ids: { id: "connection", organization_id: "organization" },
    say: ({ organization_id }) => ({ json: { name: "Renamed", organization_id } }),
    may: forId({ organization_id: both(systemAdmin, reference) }, systemAdminOf),
  },
  "DELETE /api/v1/connections/:id": { ids: { id: "connection" }, may: systemAdminOf },

  "GET /api/v1/models/list": list,
  "GET /api/v1/models/base": administration,
  "GET /api/v1/models/tags": list,
  "GET /api/v1/models/model": modelInQuery,
  "GET /api/v1/models/export": list,
  "POST /api/v1/models/create": {
    ids: { base_model_id: "provider's model", principal_id: "user" },
    say: ({ base_model_id, principal_id }) => ({
      json: {
        id: newName(),
        name: "Mine",
        base_model_id,
        meta: {},
        params: {},
        access_grants: [{ principal_type: "user", principal_id, permission: "read" }],
      },
    }),
    may: forId({ base_model_id: anyBase }, reference),
  },
  "POST /api/v1/models/model/update": {
    ids: { id: "model" },
    say: ({ id }) => ({ json: { id, name: "Renamed", base_model_id: "openai", meta: {}, params: {} } }),
    may: ownerOrSystemAdmin,
  },
  "POST /api/v1/models/model/toggle": modelInQuery,
  "POST /api/v1/models/model/access/update": {
    ids: { id: "model", principal_id: "user" },
    say: ({ id, principal_id }) => ({
      json: { id, access_grants: [{ principal_type: "user", principal_id, permission: "read" }] },
    }),
    may: forId({ principal_id: reference }, anyModel),
  },
  "POST /api/v1/models/model/delete": {
    ids: { id: "model" },
    say: ({ id }) => ({ json: { id } }),
    may: ownerOrSystemAdmin,
  },
  "DELETE /api/v1/models/delete/all": administration,
  "POST /api/v1/models/import": {
    ids: { id: "model" },
    say: ({ id }) => ({ json: { models: [{ id, name: "Imported", base_model_id: "openai", meta: {}, params: {} }] } }),
    may: importedModel,
  },
  "POST /api/v1/models/sync": { say: () => ({ json: { models: [] } }), may: systemAdmin },
  "GET /api/v1/models/model/profile/image": { ...modelInQuery, may: pictureOfModel },
  "GET /api/models": list,
  "GET /api/models/": list,
  "GET /api/v1/models": list,
  "GET /api/v1/models/": list,
  "GET /api/models/base": administration,
  "GET /api/models/:id": { ids: { id: "model" }, may: ownerOrSystemAdmin },
  "GET /api/v1/models/:id": { ids: { id: "model" }, may: ownerOrSystemAdmin },

  // Chats are their owner's alone, whoever else administers what.
  ...completionTable,
  ...channelTable,
  ...channelMessageTable,
  ...channelReplyTable,
  ...channelWebhookTable,
  ...directConnectionTable,
  ...embeddingTable,
  ...exportTable,
  ...audioTable,
  ...imageTable,
  ...importTable,
  ...feedbackTable,
  ...lifeTable,
  ...localModelTable,
  ...fileTable,
  ...folderTable,
  ...knowledgeTable,
  ...promptTable,
  ...responsesTable,
  ...retrievalTable,
  ...scimTable,
  ...usageTable,
  ...webhookTable,
  ...targetTable,
  "POST /api/chat/actions/:action_id": {
    ids: { action_id: "action", model: "model", chat_id: "chat" },
    say: ({ model, chat_id }) => ({ json: { model, chat_id } }),
    may: forId({ action_id: anyAction, model: ownerOrSystemAdmin }, owner),
  },
  "GET /api/v1/chats": list,
  "GET /api/v1/chats/": list,
  "GET /api/v1/chats/list": list,
  "GET /api/v1/chats/pinned": list,
  "GET /api/v1/chats/archived": list,
  "GET /api/v1/chats/all": list,
  "GET /api/v1/chats/all/archived": list,
  "GET /api/v1/chats/search": { say: () => ({ query: { text: "ships" } }), may: everyone },
  "POST /api/v1/chats/import": { say: () => ({ json: { chats: [{ chat: { title: "Old" } }] } }), may: everyone },
  "POST /api/v1/chats/archive/all": list,
  "POST /api/v1/chats/unarchive/all": list,
  "GET /api/v1/chats/all/tags": list,
  "GET /api/v1/chats/tags": list,
  "GET /api/v1/chats/recent-prompts": list,
  "POST /api/v1/chats/tags": { say: () => ({ json: { name: "ships" } }), may: everyone },
  "DELETE /api/v1/chats": list,
  "DELETE /api/v1/chats/": list,
  "GET /api/v1/chats/:id": chat,
  "POST /api/v1/chats/:id": { ...chat, say: () => ({ json: { chat: { title: "Renamed" } } }) },
  "DELETE /api/v1/chats/:id": chat,
  "POST /api/v1/chats/:id/pin": chat,
  "POST /api/v1/chats/:id/archive": chat,
  "GET /api/v1/chats/:id/pinned": chat,
  "POST /api/v1/chats/:id/clone": { ...chat, say: () => ({ json: { title: "Copy" } }) },
  "POST /api/v1/chats/:id/fork": { ...chat, say: () => ({ json: {} }) },
  "POST /api/v1/chats/:id/compact": {
    ids: { id: "chat", model: "model" },
    say: ({ model }) => ({ json: { model } }),
    may: forId({ model: ownerOrSystemAdmin }, owner),
  },
  "GET /api/v1/chats/:id/tags": chat,
  "POST /api/v1/chats/:id/tags": { ...chat, say: () => ({ json: { name: "ships" } }) },
  "DELETE /api/v1/chats/:id/tags": { ...chat, say: () => ({ json: { name: "ships" } }) },
  "DELETE /api/v1/chats/:id/tags/all": chat,
  "POST /api/v1/chats/:id/messages/:message_id": {
    ids: message,
    say: () => ({ json: { content: "Anew" } }),
    may: owner,
  },
  "DELETE /api/v1/chats/:id/messages/:message_id": { ids: message, may: owner },
  "POST /api/v1/chats/:chat_id/messages/:message_id/event": {
    ids: { chat_id: "chat", message_id: "message" },
    say: () => ({ json: { type: "status", data: { description: "Under way", done: false } } }),
    may: owner,
  },
  "GET /api/v1/chats/calls": list,
  "POST /api/v1/chats/calls/:call_id/answer": {
    ids: { call_id: "question" },
    say: () => ({ json: { value: true } }),
    may: owner,
  },
  "GET /api/v1/chats/:chat_id/messages/:message_id/tools/:call_id": {
    ids: { chat_id: "chat", message_id: "message", call_id: "tool call" },
    may: owner,
  },
  "GET /api/tasks": administration,
  // One's own runs in it, of which another's chat has none.
  "GET /api/tasks/chat/:chat_id": { ids: { chat_id: "chat" }, may: filter },
  "POST /api/tasks/stop/:run_id": { ids: { run_id: "run" }, may: owner },
  "POST /api/tasks/chat/:chat_id/stop": { ids: { chat_id: "chat" }, may: owner },
  "GET /api/v1/events": { may: always(426) },
  // Nobody has a tab here.
  "GET /api/v1/events/stream": { may: always(503) },
  "POST /api/v1/events/frames": {
    say: () => ({ json: { session_id: "nobody's", frame: { kind: "visible", visible: true } } }),
    may: always(404),
  },

  "GET /api/v1/auths/": list,
  "GET /api/v1/auths/sessions": list,
  "GET /api/v1/auths/sign-ins": list,
  "DELETE /api/v1/auths/sessions/:id": { ids: { id: "session" }, may: owner },
  "DELETE /api/v1/auths/sessions": { may: everyone, spendsCaller: true },
  "POST /api/v1/auths/add": {
    say: () => ({ json: { name: "New", email: newAddress(), password, role: "user" } }),
    may: managers,
  },
  "POST /api/v1/auths/update/profile": { say: () => ({ json: { name: "Renamed" } }), may: everyone },
  "POST /api/v1/auths/update/timezone": { say: () => ({ json: { timezone: "Europe/Berlin" } }), may: everyone },
  "POST /api/v1/auths/update/password": {
    say: () => ({ json: { password, new_password: `${password}!` } }),
    spendsCaller: true,
    may: everyone,
  },
  "GET /api/v1/auths/admin/details": list,
  "POST /api/v1/auths/api_key": { say: () => ({ json: { name: "script" } }), may: signedIn(everyone) },
  "GET /api/v1/auths/api_key": list,
  "DELETE /api/v1/auths/api_key": { may: signedIn(everyone), spendsCaller: true },
  "GET /api/v1/auths/api_keys": list,
  "DELETE /api/v1/auths/api_keys/:id": { ids: { id: "key" }, may: signedIn(owner) },
  "GET /api/v1/auths/admin/api_keys": {
    ids: { user_id: "user" },
    say: ({ user_id = "" }) => ({ query: { user_id } }),
    may: both(managers, filter),
  },
  "DELETE /api/v1/auths/admin/api_keys": {
    ids: { user_id: "user" },
    say: ({ user_id = "" }) => ({ query: { user_id } }),
    may: signedIn(managersOf),
    spendsCaller: true,
  },
  "DELETE /api/v1/auths/admin/api_keys/:id": { ids: { id: "key" }, may: signedIn(managersOf) },
  "GET /api/v1/auths/admin/api_keys/endpoints": administration,
  "GET /api/v1/admin/history": administration,
  "GET /api/v1/auths/admin/config": administration,
  "POST /api/v1/auths/admin/config": { say: () => ({ json: { WEBUI_NAME: "Parley" } }), may: systemAdmin },
  "GET /api/v1/auths/admin/config/schema": administration,
  "GET /api/v1/configs/banners": { may: everyone },
  "POST /api/v1/configs/banners": { say: () => ({ json: { banners: [] } }), may: systemAdmin },
  "GET /api/v1/auths/admin/sso": administration,
  "GET /api/v1/auths/admin/scim": administration,
  "GET /api/v1/audit": audit,
  "GET /api/v1/audit/export": audit,

  "GET /api/v1/users/groups": list,
  "GET /api/v1/users/permissions": list,
  "GET /api/v1/users/default/permissions": { may: managers },
  "POST /api/v1/users/default/permissions": {
    say: () => ({ json: { features: { api_keys: true } } }),
    may: systemAdmin,
  },
  "GET /api/v1/users/default/permissions/defaults": administration,
  "GET /api/v1/users/user/settings": list,
  "POST /api/v1/users/user/settings/update": { say: () => ({ json: { ui: {} } }), may: everyone },
  "GET /api/v1/users/user/status": list,
  "POST /api/v1/users/user/status/update": { say: () => ({ json: { status_message: "at sea" } }), may: everyone },
  "GET /api/v1/users/user/info": list,
  "POST /api/v1/users/user/info/update": { say: () => ({ json: { about: "ships" } }), may: everyone },
  "GET /api/v1/users/": { may: managers },
  "GET /api/v1/users": { may: managers },
  "GET /api/v1/users/all": { may: managers },
  "GET /api/v1/users/search": { say: () => ({ query: { query: "Ada" } }), may: everyone },
  ...serviceAccountTable,
  "GET /api/v1/users/:id": person,
  "GET /api/v1/users/:id/info": { ids: { id: "user" }, may: insideOrganization },
  "GET /api/v1/users/:id/active": { ids: { id: "user" }, may: insideOrganization },
  "GET /api/v1/users/:id/groups": person,
  "POST /api/v1/users/:id/update": { ...person, say: () => ({ json: { name: "Renamed" } }) },
  "DELETE /api/v1/users/:id": {
    ids: { id: "user" },
    may: (cell) => (cell.variant === "own" ? 403 : systemAdminOf(cell)),
  },
  // It names no thing of the service; what it refuses is said after the caller was let in.
  "GET /api/v1/images/proxy": { say: () => ({ query: { url: "nowhere" } }), may: always(422) },
  "GET /api/v1/users/:id/profile/image": { ids: { id: "user" }, may: insideOrganization },

  "GET /api/v1/groups/": list,
  "GET /api/v1/groups": list,
  "POST /api/v1/groups/create": {
    ids: { organization_id: "organization" },
    say: ({ organization_id }) => ({ json: { name: newName(), description: "", organization_id } }),
    may: both(managers, reference),
  },
  "GET /api/v1/groups/id/:id": group,
  "GET /api/v1/groups/id/:id/export": group,
  "GET /api/v1/groups/id/:id/info": { ids: { id: "group" }, may: insideOrganization },
  "POST /api/v1/groups/id/:id/users": group,
  "POST /api/v1/groups/id/:id/update": { ...group, say: () => ({ json: { name: newName(), description: "" } }) },
  "POST /api/v1/groups/id/:id/users/add": members,
  "POST /api/v1/groups/id/:id/users/remove": {
    ...members,
    may: forId({ user_ids: both(managers, filter) }, managersOf),
  },
  "DELETE /api/v1/groups/id/:id/delete": group,

  "GET /api/v1/organizations": list,
  "GET /api/v1/organizations/": list,
  "POST /api/v1/organizations": newOrganization,
  "POST /api/v1/organizations/": newOrganization,
  "GET /api/v1/organizations/:id": { ids: { id: "organization" }, may: insideOrganization },
  "PATCH /api/v1/organizations/:id": {
    ids: { id: "organization" },
    say: () => ({ json: { model_ids: null } }),
    may: systemAdminOf,
  },
  "DELETE /api/v1/organizations/:id": {
    ids: { id: "organization" },
    may: (cell) => {
      const outcome = systemAdminOf(cell);
      // People still belong to all that are there.
      return outcome === "ok" ? 409 : outcome;
    },
  },
  "GET /api/v1/organizations/:id/members": { ids: { id: "organization" }, may: managersOf },
  "POST /api/v1/organizations/:id/members": {
    ids: { id: "organization", user_ids: "user" },
    say: ({ user_ids }) => ({ json: { user_ids: [user_ids] } }),
    may: forId({ user_ids: both(systemAdmin, reference) }, systemAdminOf),
  },
  "GET /api/v1/landing-rules": administration,
  "GET /api/v1/landing-rules/": administration,
  "PUT /api/v1/landing-rules": landingRules,
  "PUT /api/v1/landing-rules/": landingRules,
  "POST /api/v1/landing-rules/try": { say: () => ({ json: { email: newAddress() } }), may: systemAdmin },
};
