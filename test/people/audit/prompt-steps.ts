import { newId } from "../../../src/lib/id.ts";
import { prompts, promptVersions } from "../../../src/prompts/tables.ts";
import { chats, messages } from "../../../src/stored-chats/tables.ts";
import { defaultOrganizationId, type Person, type World } from "../../world.ts";
import type { Step } from "./step.ts";

const base = "/api/v1/prompts";
const chat = "/api/v1/chats";
const everyone = { access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }] };

/** A chat that can be shared, and a prompt with versions. @returns their ids by the names that the steps have for them */
export async function storePromptThings({ db }: World, owner: Person): Promise<Record<string, string>> {
  const made = { chat: newId(), prompt: newId(), current: newId(), version_id: newId(), older: newId() };
  const said = { command: "tides", name: "Tides", content: "When?", tags: [] };
  const times = { createdAt: 0, updatedAt: 0 };
  const kept = { models: [], params: {}, meta: {}, variables: {}, extra: {} };
  const userId = owner.id;
  const organizationId = defaultOrganizationId;
  await db
    .insert(chats)
    .values({ id: made.chat, userId, organizationId, title: "Ships", currentMessageId: "m", ...kept, ...times });
  await db
    .insert(messages)
    .values({ chatId: made.chat, userId, id: "m", role: "user", content: "Ahoy", extra: {}, ...times });
  await db
    .insert(prompts)
    .values({ id: made.prompt, userId, organizationId, ...said, versionId: made.current, ...times });
  await db.insert(promptVersions).values(
    [made.current, made.version_id, made.older].map((id) => ({
      ...said,
      id,
      promptId: made.prompt,
      parentId: null,
      userId,
      createdAt: 0,
    })),
  );
  return made;
}

const step = (route: string, action: string, of: string, body?: Step["body"]): Step => ({
  who: "admin",
  route,
  actions: [action],
  of,
  ...(body ? { body } : {}),
});

/** Prompts: made, changed, shared, gone back in, deleted; chats: shared, renewed, withdrawn. */
export const promptSteps: Step[] = [
  {
    who: "admin",
    route: `POST ${base}/create`,
    actions: ["prompt.created"],
    body: () => ({ command: "ebb", name: "Ebb", content: "And when is ebb?" }),
  },
  {
    who: "admin",
    route: `POST ${base}/import`,
    actions: ["prompt.created"],
    body: () => ({ prompts: [{ command: "flood", name: "Flood", content: "And when is flood?" }] }),
  },
  step(`POST ${base}/id/:id/update`, "prompt.updated", "prompt", () => ({ content: "When is high water?" })),
  step(`POST ${base}/id/:id/update/meta`, "prompt.updated", "prompt", () => ({ name: "High water", tags: ["sea"] })),
  step(`POST ${base}/id/:id/toggle`, "prompt.updated", "prompt"),
  step(`POST ${base}/id/:id/access/update`, "prompt.updated", "prompt", () => everyone),
  step(`DELETE ${base}/id/:id/history/:version_id`, "prompt.version_deleted", "prompt"),
  step(`POST ${base}/id/:id/update/version`, "prompt.version_restored", "prompt", ({ older }) => ({
    version_id: older,
  })),
  step(`DELETE ${base}/id/:id/delete`, "prompt.deleted", "prompt"),
  step(`POST ${chat}/:id/share`, "chat.shared", "chat"),
  step(`POST ${chat}/shared/:id/access/update`, "chat.readers_updated", "chat", () => everyone),
  step(`DELETE ${chat}/:id/share`, "chat.unshared", "chat"),
];
