import { sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { heldCredential, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import type { AppError } from "../../errors.ts";
import { addJobStatement } from "../../jobs/add-job.ts";
import { hasJobRoom, tooManyJobs } from "../../jobs/room.ts";
import { newId } from "../../lib/id.ts";
import { findModel } from "../../models/catalog/find-model.ts";
import { mentionedIds } from "../../shared/mentions.ts";
import { wasPosted, type NewPost } from "../messages/post-statements.ts";

/** So many models answer one message. */
export const maxReplies = 5;
/** How long an answer may take altogether, waiting included; milliseconds. */
export const replyTimeoutMs = 10 * 60_000;
/** How long the post waits for providers to say what a model is called, milliseconds: they are known, as a rule. */
const nameBudgetMs = 400;

/** What has to happen in the transaction of a post that asks models. */
export interface PlannedReplies {
  /** The messages that the answers will stand in, empty as yet. */
  posts: NewPost[];
  /** After all posts. */
  last: BatchItem<"sqlite">[];
  /** What the post itself depends on too: that not too many answers for this person are under way. */
  room: SQL;
}

const none: PlannedReplies = { posts: [], last: [], room: sql`1` };

/**
 * Plans an answer of each model that a person's post names: in its thread, by a job that asks with the rights of that person. None of
 * it happens where the post itself is not taken, or was before. Costs nothing for posts that name no model.
 * @param question the post of the person who calls
 */
export async function planReplies(ctx: Context, user: User, question: NewPost): Promise<PlannedReplies> {
  const models = mentionedIds(question.content, "model").slice(0, maxReplies);
  if (models.length === 0) return none;
  const names = await Promise.all(models.map((id) => nameOf(ctx, id)));
  const asked = wasPosted(question.id);
  const posts = models.map((model, at): NewPost => ({
    id: newId(),
    channelId: question.channelId,
    author: { kind: "model", model, name: names[at]!, askedBy: user.id },
    parentId: question.id,
    content: "",
    state: "streaming",
    condition: asked,
    now: question.now,
  }));
  const { kind, id: credentialId } = heldCredential(user);
  const deadline = Date.now() + replyTimeoutMs;
  const last = posts.flatMap(({ id }) => [
    ctx.db.run(sql`
      INSERT INTO channel_replies (message_id, question_id, credential_kind, credential_id, origin)
      SELECT ${id}, ${question.id}, ${kind}, ${credentialId}, ${ctx.origin} WHERE ${wasPosted(id)}`),
    addJobStatement(ctx, { kind: "reply", subject: id, userId: user.id, deadline, condition: wasPosted(id) }),
  ]);
  return { posts, last, room: hasReplyRoom(ctx, user) };
}

/** SQL: whether a model may be asked for one more answer. */
export function hasReplyRoom({ settings }: Pick<Context, "settings">, user: User): SQL {
  return hasJobRoom("reply", user.id, settings.MAX_WAITING_JOBS);
}

export function tooManyReplies({ settings }: Pick<Context, "settings">): AppError {
  return tooManyJobs(settings.MAX_WAITING_JOBS, "answers of models are being written for you");
}

/** Has the answers begun that were planned; after the transaction. */
export function beginReplies(ctx: Context, { posts }: PlannedReplies): void {
  for (const _ of posts) ctx.waitUntil(ctx.jobs.wake("reply"));
}

/** What the person who asks is shown as its name; its id where they may not use it: the answer says so then. */
async function nameOf(ctx: Context, id: string): Promise<string> {
  return findModel(ctx, id, { budgetMs: nameBudgetMs }).then(
    ({ name }) => name,
    () => id,
  );
}
