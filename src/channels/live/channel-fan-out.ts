import { finishesWithin } from "../../lib/finishes-within.ts";
import { consoleLog } from "../../lib/log.ts";
import type { ChannelEvent } from "../schema.ts";
import type { ToldChannel } from "../tell-channel.ts";
import { MemberOutbox, type MemberOutboxOptions } from "./member-outbox.ts";
import { OnlineMembers, type ChannelMembers, type OnlineDirectory } from "./online-members.ts";
import { PendingEvents } from "./pending-events.ts";

/** After so long, the caller of `tell` no longer waits. */
const tellTimeoutMs = 5000;
/** Until the look-up of the members is tried again: twice as long each time, up to the maximum. */
const [firstRetryMs, maxRetryMs] = [100, 20_000];
/** Between two looks for links that are no longer needed. */
const sweepEveryMs = 5000;
/** People who are told before other work gets its turn. */
const batchSize = 32;
/**
 * Between two broadcasts, and what each person who listens adds to that. What comes meanwhile goes into the next broadcast, which
 * costs less than one broadcast for each event.
 */
const broadcastEveryMs = { first: 0, perPerson: 0.2, max: 100 };
/** The same where there is only more text of a model's answer. */
const textEveryMs = { first: 100, perPerson: 2, max: 1000 };

export interface ChannelFanOutOptions {
  /** @throws whatever the database does */
  loadMembers(channelId: string): Promise<ChannelMembers>;
  directory(): OnlineDirectory;
  /** The way to one member's session. */
  reach(userId: string, organizationId: string): MemberOutboxOptions;
  /** The process must not end before the work does. */
  waitUntil(work: Promise<unknown>): void;
}

/**
 * Tells what happens in one channel to the sessions of those members who have something open. Who that is, is looked up for one
 * broadcast after the other; what comes meanwhile goes into the next broadcast. Each person is told at their own pace.
 */
export class ChannelFanOut {
  readonly #options: ChannelFanOutOptions;
  readonly #pending = new PendingEvents();
  readonly #online: OnlineMembers;
  readonly #outboxes = new Map<string, MemberOutbox>();
  #channel: ToldChannel | undefined;
  /** Resolves with the broadcast that takes what waits now. */
  #next = Promise.withResolvers<void>();
  #isTelling = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sweeping: ReturnType<typeof setTimeout> | undefined;
  /** Epoch milliseconds of the last broadcast. */
  #toldAt = 0;

  constructor(options: ChannelFanOutOptions) {
    this.#options = options;
    this.#online = new OnlineMembers({
      load: () => options.loadMembers(this.#channel!.id),
      directory: () => options.directory(),
    });
  }

  /** Resolves when everybody was told, or some time later. */
  async tell(channel: ToldChannel, event: ChannelEvent): Promise<void> {
    if (channel.membersVersion >= (this.#channel?.membersVersion ?? -1)) this.#channel = channel;
    this.#pending.add(event);
    const told = this.#next.promise;
    this.#options.waitUntil(told);
    this.#plan();
    await finishesWithin(tellTimeoutMs, told);
  }

  #plan(): void {
    if (this.#isTelling || this.#pending.isEmpty) return;
    clearTimeout(this.#timer);
    const { first, perPerson, max } = this.#pending.isUrgent ? broadcastEveryMs : textEveryMs;
    const every = Math.min(first + perPerson * this.#outboxes.size, max);
    const wait = Math.max(0, this.#toldAt + every - Date.now());
    if (wait === 0) void this.#broadcast();
    else this.#timer = setTimeout(() => this.#plan(), wait);
  }

  async #broadcast(): Promise<void> {
    this.#isTelling = true;
    const { resolve } = this.#next;
    this.#next = Promise.withResolvers();
    // Before the look-up of who listens: of what comes during it, somebody may hear who was not there yet.
    const { events, isWhole } = this.#pending.take();
    const { id, organizationId } = this.#channel!;
    const online = await this.#listOnline();
    const lines = events.map((data) => JSON.stringify({ channel_id: id, data }));
    const news = { isWhole, events: lines, text: lines.join("\n") };
    for (const [userId, outbox] of this.#outboxes) if (outbox.isIdle && !online.has(userId)) this.#drop(userId, outbox);
    this.#toldAt = Date.now();
    const told: Promise<void>[] = [];
    for (const userId of online) {
      told.push(this.#outboxOf(userId, organizationId).add(news, this.#toldAt));
      if (told.length % batchSize === 0) await letOthersRun();
    }
    if (this.#sweeping === undefined) this.#sweeping = setTimeout(() => this.#sweep(), sweepEveryMs);
    this.#isTelling = false;
    this.#plan();
    await Promise.all(told);
    resolve();
  }

  /** Tries until it is known. What comes meanwhile waits; of too much of it, only the fact that something is missing is kept. */
  async #listOnline(): Promise<ReadonlySet<string>> {
    for (let wait = firstRetryMs; ; wait = Math.min(2 * wait, maxRetryMs)) {
      try {
        return await this.#online.list(this.#channel!.membersVersion);
      } catch (error) {
        consoleLog.warn("it is not known who is in a channel", { channel: this.#channel!.id, error });
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }

  #outboxOf(userId: string, organizationId: string): MemberOutbox {
    const known = this.#outboxes.get(userId);
    if (known) return known;
    const outbox = new MemberOutbox(this.#options.reach(userId, organizationId));
    this.#outboxes.set(userId, outbox);
    return outbox;
  }

  #drop(userId: string, outbox: MemberOutbox): void {
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
    this.#sweeping = this.#outboxes.size > 0 ? setTimeout(() => this.#sweep(), sweepEveryMs) : undefined;
  }
}

/** Sessions in this very process and other requests come first: a person who posts waits for many small steps. */
function letOthersRun(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
