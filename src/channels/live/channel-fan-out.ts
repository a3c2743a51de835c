import { finishesWithin } from "../../lib/finishes-within.ts";
import { consoleLog } from "../../lib/log.ts";
import type { ChannelEvent } from "../schema.ts";
import type { ToldChannel } from "../tell-channel.ts";
import { MemberOutbox, type MemberOutboxOptions } from "./member-outbox.ts";
import { OnlineMembers, type ChannelMembers, type OnlineDirectory } from "./online-members.ts";
import { PendingEvents } from "./pending-events.ts";

/** Milliseconds after which a sender no longer waits. */
const tellTimeoutMs = 5000;
/** Milliseconds between attempts to load the recipients: doubled each time, up to the maximum. */
const [firstPauseMs, maxPauseMs] = [100, 20_000];
/** Milliseconds between two checks for unused links. */
const sweepIntervalMs = 5000;
/** People notified in one batch, before other work gets its turn. */
const batchSize = 32;
/**
 * Milliseconds between two broadcasts, plus an amount for each listening person; events in between are combined, which
 * costs less than one broadcast each.
 */
const newsIntervalMs = { first: 0, perPerson: 0.2, max: 100 };
/** The same if there is only more text of a model's answer. */
const textIntervalMs = { first: 100, perPerson: 2, max: 1000 };

export interface ChannelFanOutOptions {
  /** @throws any error of the database */
  loadMembers(channelId: string): Promise<ChannelMembers>;
  directory(): OnlineDirectory;
  /** The way to one member's session. */
  reach(userId: string, organizationId: string): MemberOutboxOptions;
  /** Keeps the process alive until the work is done. */
  waitUntil(work: Promise<unknown>): void;
}

/**
 * Delivers the events of one channel to the sessions of members with open connections. Recipients are loaded for one
 * broadcast after the other; events in between go with the next. Each person receives them at their own pace.
 */
export class ChannelFanOut {
  readonly #options: ChannelFanOutOptions;
  readonly #pending = new PendingEvents();
  readonly #online: OnlineMembers;
  readonly #outboxes = new Map<string, MemberOutbox>();
  #channel: ToldChannel | undefined;
  /** Resolves with the broadcast of the waiting events. */
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

  /** Resolves when everyone was notified, or after a time limit. */
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
    const { first, perPerson, max } = this.#pending.isUrgent ? newsIntervalMs : textIntervalMs;
    const every = Math.min(first + perPerson * this.#outboxes.size, max);
    const wait = Math.max(0, this.#toldAt + every - Date.now());
    if (wait === 0) void this.#broadcast();
    else this.#timer = setTimeout(() => this.#plan(), wait);
  }

  async #broadcast(): Promise<void> {
    this.#isTelling = true;
    const { resolve } = this.#next;
    this.#next = Promise.withResolvers();
    // Before the recipients are loaded: an event that comes in between may also go to people who join only then.
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
    if (this.#sweeping === undefined) this.#sweeping = setTimeout(() => this.#sweep(), sweepIntervalMs);
    this.#isTelling = false;
    this.#plan();
    await Promise.all(told);
    resolve();
  }

  /** Retries until the recipients are known. Events wait meanwhile; if there are too many, they are dropped and tabs reload. */
  async #listOnline(): Promise<ReadonlySet<string>> {
    for (let wait = firstPauseMs; ; wait = Math.min(2 * wait, maxPauseMs)) {
      try {
        return await this.#online.list(this.#channel!.membersVersion);
      } catch (error) {
        consoleLog.warn("could not read the members of a channel", { channel: this.#channel!.id, error });
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

  /** Closes unused links, so that both sides can hibernate. */
  #sweep(): void {
    const now = Date.now();
    for (const [userId, outbox] of this.#outboxes) {
      if (outbox.isOver(now)) this.#drop(userId, outbox);
      else outbox.retry();
    }
    this.#sweeping = this.#outboxes.size > 0 ? setTimeout(() => this.#sweep(), sweepIntervalMs) : undefined;
  }
}

/** Lets sessions in this process and other requests run first: a person who posts waits for many small steps. */
function letOthersRun(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
