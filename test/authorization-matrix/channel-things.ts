import { eq, sql } from "drizzle-orm";
import { channelReplies } from "../../src/channels/replies/tables.ts";
import {
  type channelKinds,
  channelMembers,
  channelMessages,
  channels,
  channelWebhookFaces,
  channelWebhooks,
} from "../../src/channels/tables.ts";
import type { Database } from "../../src/db/client.ts";
import { newId } from "../../src/lib/id.ts";
import type { Person } from "../world.ts";
import type { Kind } from "./cells.ts";

type Owner = Person & { organizationId: string };

/** A channel that the person manages, and nobody else is in. @returns its id */
export async function addChannel(
  db: Database,
  owner: Owner,
  kind: (typeof channelKinds)[number] = "private",
): Promise<string> {
  const id = newId();
  const now = Date.now();
  const { id: userId, organizationId } = owner;
  const times = { createdAt: now, updatedAt: now };
  await db.insert(channels).values({ id, organizationId, userId, kind, name: id, ...times });
  const role = kind === "direct" ? "member" : "manager";
  await db.insert(channelMembers).values({ channelId: id, userId, role, joinedAt: now });
  return id;
}

/** A public channel that another person manages as well. @returns its id */
export async function addPublicChannel(db: Database, owner: Owner, other: Owner): Promise<string> {
  const id = await addChannel(db, owner, "public");
  await db.insert(channelMembers).values({ channelId: id, userId: other.id, role: "manager", joinedAt: 0 });
  return id;
}

/** Somebody in the channel. @returns their id */
export async function addMember(db: Database, channelId: string, member: Owner): Promise<string> {
  await db.insert(channelMembers).values({ channelId, userId: member.id, joinedAt: 0 });
  return member.id;
}

/** What the person said in the channel. @returns its id */
export async function addMessage(db: Database, owner: Owner, channelId: string): Promise<string> {
  const id = newId();
  const [channel] = await db
    .update(channels)
    .set({ head: sql`head + 1` })
    .where(eq(channels.id, channelId))
    .returning();
  const said = { userId: owner.id, organizationId: owner.organizationId, sender: `user:${owner.id}`, content: "Ahoy" };
  await db.insert(channelMessages).values({ id, channelId, seq: channel!.head, ...said, createdAt: 0, updatedAt: 0 });
  return id;
}

/** What a model has answered the person, who asked with their session. @returns its id */
export async function addAnswer(db: Database, owner: Owner, channelId: string): Promise<string> {
  const [question, answer] = [newId(), newId()];
  const times = { createdAt: 0, updatedAt: 0 };
  const said = { channelId, userId: owner.id, organizationId: owner.organizationId, content: "Ahoy", ...times };
  const [channel] = await db
    .update(channels)
    .set({ head: sql`head + 2` })
    .where(eq(channels.id, channelId))
    .returning();
  const seq = channel!.head;
  await db.insert(channelMessages).values([
    { ...said, id: question, seq: seq - 1, sender: `user:${owner.id}`, replyCount: 1 },
    { ...said, id: answer, seq, parentId: question, model: "m", modelName: "m", sender: "model:m" },
  ]);
  const credential = { credentialKind: "session", credentialId: owner.sessionId } as const;
  await db.insert(channelReplies).values({ messageId: answer, questionId: question, ...credential, origin: "" });
  return answer;
}

/** An address that posts into the channel. @returns its id */
export async function addWebhook(db: Database, channelId: string): Promise<string> {
  const id = newId();
  const faceId = newId();
  const secret = { tokenHash: "", sealedToken: "" };
  const times = { createdAt: 0, updatedAt: 0 };
  await db.insert(channelWebhooks).values({ id, channelId, faceId, ...secret, allowance: 0, refilledAt: 0, ...times });
  await db.insert(channelWebhookFaces).values({ id: faceId, webhookId: id, name: "Deploys", createdAt: 0 });
  return id;
}

export async function forgetChannelThing(db: Database, kind: Kind, id: string): Promise<void> {
  if (/^((public|direct) )?channel$/.test(kind)) await db.delete(channels).where(eq(channels.id, id));
  if (kind === "channel webhook") await db.delete(channelWebhooks).where(eq(channelWebhooks.id, id));
}
