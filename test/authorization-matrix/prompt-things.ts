import { eq } from "drizzle-orm";
import { chatShares } from "../../src/chat/sharing/tables.ts";
import type { Database } from "../../src/db/client.ts";
import { feedback } from "../../src/feedback/tables.ts";
import { newId } from "../../src/lib/id.ts";
import { memories } from "../../src/memories/tables.ts";
import { prompts, promptVersions } from "../../src/prompts/tables.ts";
import { chats } from "../../src/stored-chats/tables.ts";
import type { Person, World } from "../world.ts";
import type { Kind } from "./cells.ts";
import { addDirectConnection, forgetDirectConnection } from "./direct-connection-table.ts";
import { addFolder, forgetFolder } from "./folder-things.ts";

type Owner = Person & { organizationId: string };

/** A prompt of a person's at home, with an older version. */
async function addPrompt(db: Database, owner: Owner, createdAt: number): Promise<string> {
  const id = newId();
  const versionId = newId();
  const { id: userId, organizationId } = owner;
  const said = { command: `c${id}`, name: id, content: "Ahoy", tags: [] };
  await db.insert(prompts).values({ id, userId, organizationId, ...said, versionId, createdAt, updatedAt: createdAt });
  await db.insert(promptVersions).values({ id: versionId, promptId: id, parentId: null, ...said, userId, createdAt });
  await addVersion(db, id);
  return id;
}

async function addMemory(db: Database, { id: userId }: Owner, createdAt: number): Promise<string> {
  const id = newId();
  await db.insert(memories).values({ id, userId, content: id, source: "person", createdAt, updatedAt: createdAt });
  return id;
}

/** A version that the prompt is not of now. */
async function addVersion(db: Database, promptId: string): Promise<string> {
  const id = newId();
  await db.insert(promptVersions).values({
    id,
    promptId,
    parentId: null,
    command: "older",
    name: "Older",
    content: "Hello",
    tags: [],
    userId: null,
    createdAt: 0,
  });
  return id;
}

async function commandOf(db: Database, promptId: string): Promise<string> {
  const [row] = await db.select({ command: prompts.command }).from(prompts).where(eq(prompts.id, promptId));
  return row!.command;
}

/** The link of a chat that was shared. */
async function linkOf(db: Database, chatId: string): Promise<string> {
  const [row] = await db.select({ id: chatShares.id }).from(chatShares).where(eq(chatShares.chatId, chatId));
  return row!.id;
}

async function addRating(db: Database, owner: Owner, now: number): Promise<string> {
  const id = newId();
  const { id: userId, organizationId } = owner;
  const values = {
    id,
    userId,
    organizationId,
    type: "rating",
    data: { rating: 1 },
    meta: {},
    createdAt: now,
    updatedAt: now,
  };
  await db.insert(feedback).values(values);
  return id;
}

/** Makes memories, ratings, prompts and what belongs to them, and chats that are shared with nobody. @param makeChat makes one of the owner's */
export function promptThings(world: World, makeChat: (owner: Owner) => Promise<{ id: string; owner: Person }>) {
  const { db } = world;
  const now = world.services.now();
  async function shareChat(by: Owner): Promise<string> {
    const { id, owner } = await makeChat(by);
    await world.call(`/api/v1/chats/${id}/share`, { method: "POST", as: owner });
    return id;
  }
  return {
    memory: (owner: Owner) => addMemory(db, owner, now),
    rating: (owner: Owner) => addRating(db, owner, now),
    "direct connection": (owner: Owner) => addDirectConnection(db, owner, now),
    folder: (owner: Owner) => addFolder(db, owner, now),
    prompt: (owner: Owner) => addPrompt(db, owner, now),
    "prompt version": async (owner: Owner, given?: string) =>
      addVersion(db, given ?? (await addPrompt(db, owner, now))),
    command: async (owner: Owner) => commandOf(db, await addPrompt(db, owner, now)),
    "shared chat": shareChat,
    link: async (owner: Owner) => linkOf(db, await shareChat(owner)),
  };
}

export async function forgetPromptThing(db: Database, kind: Kind, id: string): Promise<void> {
  if (kind === "rating") await db.delete(feedback).where(eq(feedback.id, id));
  if (kind === "memory") await db.delete(memories).where(eq(memories.id, id));
  if (kind === "direct connection") await forgetDirectConnection(db, id);
  if (kind === "prompt") await db.delete(prompts).where(eq(prompts.id, id));
  if (kind === "folder") await forgetFolder(db, id);
  if (kind === "command") await db.delete(prompts).where(eq(prompts.command, id));
  if (kind === "link") await db.delete(chatShares).where(eq(chatShares.id, id));
  if (kind === "shared chat") await db.delete(chats).where(eq(chats.id, id));
}
