import { DurableObject } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import type { ChannelEvent } from "../src/channels/schema.ts";
import type { ToldChannel } from "../src/channels/tell-channel.ts";
import { consoleLog } from "../src/lib/log.ts";
import { ChannelAudience, type ChannelMembers } from "./channel-audience.ts";
import { linkHeader, type Linked } from "./channel-link.ts";
import { ChannelOutbox, type ChannelNews } from "./channel-outbox.ts";
import { ChannelQueue } from "./channel-queue.ts";
import type { Env } from "./env.ts";
import { createServices } from "./services.ts";
import { within } from "./within.ts";

/** Milliseconds after which whoever tells something need not wait longer. */
const patience = 5000;
/** Milliseconds until it is tried again to find out who is to be told: twice as long each time, up to the longest. */
const [firstWait, longestWait] = [100, 20_000];
/** Milliseconds between two looks for links that are not needed. */
const restEvery = 5000;
/** People who are told in one go. */
const toldAtOnce = 32;
/**
 * Milliseconds between two broadcasts, and what each person who listens adds to that: what comes meanwhile goes along, which costs
 * less than one broadcast for each.
 */
const newsEvery = { first: 0, perPerson: 0.2, longest: 100 };
/** The same where there is only more of a model's answer. */
const textEvery = { first: 100, perPerson: 2, longest: 1000 };

/**
 * One channel: hands what happens to the sessions of those members who have something open. Who that is, is looked up for one
 * broadcast after the other; what comes meanwhile goes along with the next. Each person is told at their own pace.
 */
export class ChannelHub extends DurableObject<Env> {
  readonly #queue = new ChannelQueue();
  readonly #audience: ChannelAudience;
  readonly #outboxes = new Map<string, ChannelOutbox>();
  #channel: ToldChannel | undefined;
  /** Resolves with the broadcast that takes what waits now. */
  #next = Promise.withResolvers<void>();
  #isTelling = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sweeping: ReturnType<typeof setTimeout> | undefined;
  /** Epoch milliseconds of the last broadcast. */
  #toldAt = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#audience = new ChannelAudience({
      load: () => this.#loadMembers(),
      directory: () => env.OPEN_DIRECTORY.getByName("directory"),
    });
  }

  /** Resolves when everybody was told, or some time later. */
  async tell(channel: ToldChannel, event: ChannelEvent): Promise<void> {
    if (channel.membersVersion >= (this.#channel?.membersVersion ?? -1)) this.#channel = channel;
    this.#queue.add(event);
    const told = this.#next.promise;
    this.ctx.waitUntil(told);
    this.#plan();
    await within(patience, told);
  }

  #plan(): void {
    if (this.#isTelling || this.#queue.isEmpty) return;
    clearTimeout(this.#timer);
    const { first, perPerson, longest } = this.#queue.isUrgent ? newsEvery : textEvery;
    const every = Math.min(first + perPerson * this.#outboxes.size, longest);
    const wait = Math.max(0, this.#toldAt + every - Date.now());
    if (wait === 0) void this.#broadcast();
    else this.#timer = setTimeout(() => this.#plan(), wait);
  }

  async #broadcast(): Promise<void> {
    this.#isTelling = true;
    const { resolve } = this.#next;
    this.#next = Promise.withResolvers();
    // Before the look at who listens: of what comes during it, somebody may hear who was not there yet.
    const { events, isWhole } = this.#queue.take();
    const { id, organizationId } = this.#channel!;
    const open = await this.#listOpen();
    const lines = events.map((data) => JSON.stringify({ channel_id: id, data }));
    const news = { isWhole, events: lines, text: lines.join("\n") };
    for (const [userId, outbox] of this.#outboxes) if (outbox.isIdle && !open.has(userId)) this.#drop(userId, outbox);
    this.#toldAt = Date.now();
    const told: Promise<void>[] = [];
    for (const userId of open) {
      told.push(this.#outboxOf(userId, organizationId).add(news, this.#toldAt));
      if (told.length % toldAtOnce === 0) await othersTurn();
    }
    if (this.#sweeping === undefined) this.#sweeping = setTimeout(() => this.#sweep(), restEvery);
    this.#isTelling = false;
    this.#plan();
    await Promise.all(told);
    resolve();
  }

  /** Tries until it is known; what comes meanwhile waits, and of too much of it none is kept but that it was there. */
  async #listOpen(): Promise<ReadonlySet<string>> {
    for (let wait = firstWait; ; wait = Math.min(2 * wait, longestWait)) {
      try {
        return await this.#audience.now(this.#channel!.membersVersion);
      } catch (error) {
        consoleLog.warn("it is not known who is in a channel", { channel: this.#channel!.id, error });
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }

  #outboxOf(userId: string, organizationId: string): ChannelOutbox {
    const known = this.#outboxes.get(userId);
    if (known) return known;
    const sessions = this.env.SESSION_COORDINATOR;
    let session = sessions.getByName(userId);
    const outbox = new ChannelOutbox({
      async call(news) {
        try {
          await session.hear({ userId, organizationId, ...news } satisfies ChannelNews);
        } catch (error) {
          // One that has failed is of no use any more.
          session = sessions.getByName(userId);
          throw error;
        }
      },
      async connect() {
        const linked: Linked = { userId, organizationId };
        const headers = { upgrade: "websocket", [linkHeader]: JSON.stringify(linked) };
        const { webSocket } = await session.fetch("https://session.internal/", { headers });
        if (!webSocket) throw new Error("a person's object takes no link");
        return webSocket;
      },
    });
    this.#outboxes.set(userId, outbox);
    return outbox;
  }

  #drop(userId: string, outbox: ChannelOutbox): void {
    outbox.close();
    this.#outboxes.delete(userId);
  }

  /** Gives up links over which nothing has been said for a while: both sides may be put away then. */
  #sweep(): void {
    const now = Date.now();
    for (const [userId, outbox] of this.#outboxes) {
      if (outbox.isOver(now)) this.#drop(userId, outbox);
      else outbox.retry();
    }
    this.#sweeping = this.#outboxes.size > 0 ? setTimeout(() => this.#sweep(), restEvery) : undefined;
  }

  async #loadMembers(): Promise<ChannelMembers> {
    const { db } = createServices(this.env, (work) => this.ctx.waitUntil(work));
    // One value: thousands of rows cost more on their way than in the database.
    const [row] = await db.all<{ version: number; ids: string }>(sql`SELECT members_version AS version,
      (SELECT json_group_array(user_id) FROM channel_members WHERE channel_id = ${this.#channel!.id}) AS ids
      FROM channels WHERE id = ${this.#channel!.id}`);
    return row ? { version: row.version, ids: JSON.parse(row.ids) as string[] } : { version: -1, ids: [] };
  }
}

/** Where sessions are in this very process, what they do comes first, and so do requests: those that post wait for many small steps. */
function othersTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
