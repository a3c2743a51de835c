import { DurableObject } from "cloudflare:workers";
import type { HeldCredential } from "../src/access.ts";
import { AnswerText } from "../src/chat/answer-text.ts";
import { interruptAnswer } from "../src/chat/conversations/write-answer.ts";
import { endEvents } from "../src/chat/end-events.ts";
import type { ChatEvent, Emitted, EventPlace } from "../src/chat/events/chat-event.ts";
import { EventDesk } from "../src/chat/events/event-desk.ts";
import { runTurn, type StopReason } from "../src/chat/run-turn.ts";
import { interruptedEvent } from "../src/chat/sweep-answers.ts";
import type { Services } from "../src/context.ts";
import { lookAgain, type Open } from "../src/events/look-again.ts";
import { sessionChanged, type LiveEvent } from "../src/events/protocol.ts";
import { Session, type Effect } from "../src/events/session.ts";
import { newId } from "../src/lib/id.ts";
import { consoleLog } from "../src/lib/log.ts";
import type { LiveSessions, RunStart } from "../src/ports.ts";
import { DirectoryEntry } from "./directory-entry.ts";
import type { Env } from "./env.ts";
import { followedHeader, type FollowRequest } from "./follow-rights.ts";
import { FollowerSet, type Follower, type Refusal } from "./follower-set.ts";
import { credentialHeader } from "./live-sessions.ts";
import { RunLedger, type LedgerEntry } from "./run-ledger.ts";
import { createServices } from "./services.ts";
import { SocketSet } from "./socket-set.ts";

const mostSockets = 100;
const mostRuns = 20;
/** Sockets that have not even pinged for so long make room for new ones; milliseconds. Tabs ping every 25 s. */
const silentAfter = 90_000;
/** Milliseconds between two alarms while something runs: an object without any request is put away after 70 s. */
const heartbeat = 20_000;
/** How long anybody waits here for the database, milliseconds. */
const patience = 3000;
/**
 * Milliseconds after a change of rights in which whatever comes here is looked at once more: its request may have been let
 * in before the change.
 */
const echo = 60_000;
/** Milliseconds between two looks that nobody asked for. */
const lookEvery = 20_000;
/** Finished runs that are remembered, so that a start that comes late starts nothing. */
const mostFinished = 200;

interface ActiveRun {
  start: RunStart;
  text: AnswerText;
  abort: AbortController;
  /** Resolves when the answer has ended and is stored. */
  ended: Promise<void>;
}

/** Something that is open, with the way to end it. */
interface Watched extends Open {
  end(why: Refusal): void | Promise<void>;
}

/**
 * One person's sockets and runs. What to say to whom is decided by `Session`; here are the runtime's parts: sockets that
 * hibernate, runs that outlive the tabs that started them, and a ledger of runs, so that one that died with its process
 * is ended when the object comes back.
 */
export class SessionCoordinator extends DurableObject<Env> {
  readonly #session: Session;
  readonly #sockets: SocketSet;
  readonly #runs = new Map<string, ActiveRun>();
  /** Run ids by message. */
  readonly #finished = new Map<string, string>();
  readonly #ledger: RunLedger;
  readonly #followers: FollowerSet;
  readonly #entry: DirectoryEntry;
  #desk: EventDesk | undefined;
  /** Epoch milliseconds of the last word that rights have changed. */
  #changedAt = 0;
  /** Epoch milliseconds of the last look at everything. */
  #lookedAt = 0;
  #looking: Promise<void> | undefined;
  #recovery: Promise<void>;
  /** Work that must not be put away: runs, and what they do after their answers. */
  #busy = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
    this.#ledger = new RunLedger(ctx.storage);
    this.#sockets = new SocketSet(ctx);
    this.#followers = new FollowerSet(ctx);
    this.#entry = new DirectoryEntry(
      () => env.OPEN_DIRECTORY.getByName("directory"),
      () => this.#sockets.size === 0 && this.#runs.size === 0 && this.#followers.all.length === 0,
    );
    this.#session = new Session(newId(), this.#sockets.notes);
    this.#apply(this.#session.resume());
    this.#recovery = this.#recover();
  }

  override async fetch(request: Request): Promise<Response> {
    const followed = request.headers.get(followedHeader);
    return followed === null
      ? this.#openTab(JSON.parse(request.headers.get(credentialHeader)!) as HeldCredential)
      : this.#follow(JSON.parse(decodeURIComponent(followed)) as FollowRequest);
  }

  #follow({ credential, model, isStale }: FollowRequest): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    const follower = this.#followers.accept(server, { credential, model });
    this.#opened(credential.userId);
    if (isStale || this.#hasJustChanged) this.ctx.waitUntil(this.#look([this.#watchedFollower(follower)]));
    return new Response(null, { status: 101, webSocket: client });
  }

  #openTab(credential: HeldCredential): Response {
    if (this.#sockets.size >= mostSockets)
      this.#sockets.silentSince(Date.now() - silentAfter).forEach((socket) => this.#forget(socket));
    if (this.#sockets.size >= mostSockets) return new Response(null, { status: 429 });
    const { 0: client, 1: server } = new WebSocketPair();
    const id = newId();
    this.#sockets.accept(id, server);
    this.#apply(this.#session.open(id, credential));
    this.#opened(credential.userId);
    if (this.#hasJustChanged) this.ctx.waitUntil(this.#look(this.#watchedTabs()));
    return new Response(null, { status: 101, webSocket: client });
  }

  override async webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    void this.#lookNowAndThen({ isUse: true });
    if (this.#followers.has(socket)) return;
    // Whoever says hello loads the chat next, and should not find an answer there that nobody writes any more.
    await within(patience, this.#recovery);
    this.#apply(this.#session.receive(this.#sockets.idOf(socket), data, nowSeconds()));
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    this.#forget(socket);
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    this.#forget(socket);
  }

  /** Sends an event to all tabs; when it has been silent for a while, only to those that may still be open. */
  async publish(event: LiveEvent): Promise<void> {
    const looking = this.#sockets.size > 0 ? this.#lookNowAndThen({ isUse: false }) : undefined;
    if (looking) await within(patience, looking);
    this.#apply(this.#session.publish(event));
  }

  /** Stores an event of the person's chats and shows it; see `EventDesk`. */
  async emit(userId: string, place: EventPlace, event: ChatEvent): Promise<Emitted> {
    this.#desk ??= new EventDesk({
      userId,
      services: () => this.#services(userId),
      running: ({ chatId, messageId }) =>
        [...this.#runs.values()].find(({ start }) => start.chatId === chatId && start.messageId === messageId),
      publish: (said) => this.publish(said),
    });
    return this.#desk.emit(place, event);
  }

  /** Ends what one credential has open, or everything. */
  async revoke(reason: string, credentialId?: string): Promise<void> {
    const why: Refusal = { code: "session_ended", message: "The session has ended: sign in again" };
    this.#changedAt = Date.now();
    this.#apply(this.#session.revoke(reason, credentialId));
    const ending = [...this.#watchedRuns(), ...this.#watchedFollowers()].filter(
      ({ credential }) => credentialId === undefined || credential.id === credentialId,
    );
    await Promise.all(ending.map((each) => each.end(why)));
  }

  /** Rights have changed: what is open looks again, and what may stay open hears of it. */
  async recheck(userId: string): Promise<void> {
    this.#changedAt = Date.now();
    this.#entry.leave(userId);
    await this.#lookAtAll();
    if (this.#sockets.size > 0) this.#apply(this.#session.publish({ data: { type: sessionChanged, data: {} } }));
  }

  isPresent(): boolean {
    return this.#session.isPresent(nowSeconds());
  }

  listRuns(chatId?: string): { runId: string; chatId: string; messageId: string }[] {
    return [...this.#runs.values()]
      .map(({ start }) => ({ runId: start.runId, chatId: start.chatId, messageId: start.messageId }))
      .filter((run) => chatId === undefined || run.chatId === chatId);
  }

  /** Resolves when the run has ended and its text is stored, or after a while. @returns whether there was such a run */
  async stopRun(runId: string): Promise<boolean> {
    const run = this.#runs.get(runId);
    if (!run) return false;
    run.abort.abort("stopped" satisfies StopReason);
    await within(patience, run.ended);
    return true;
  }

  /** Starts the run; a message that a run writes, or has written, is not written again. */
  async startRun(start: RunStart): Promise<{ runId: string; chatId: string } | "too_many"> {
    const message = messageKey(start);
    const writing = [...this.#runs.values()].find((run) => messageKey(run.start) === message);
    const known = writing?.start.runId ?? this.#finished.get(message);
    // A message that is answered anew gets a run of its own; the old one can no longer write it.
    if (known !== undefined && (writing || known === start.runId)) return { runId: known, chatId: start.chatId };
    if (this.#runs.size >= mostRuns) return "too_many";
    this.#ledger.add(entryOf(start));
    await this.#beat();
    this.#run(start);
    return { runId: start.runId, chatId: start.chatId };
  }

  override async alarm(): Promise<void> {
    await this.#recovery;
    await this.#lookAtAll();
    if (this.#busy > 0) return this.#beat();
    // What could not be ended before, because the database was away.
    this.#recovery = this.#recover();
    await this.#recovery;
  }

  #run(start: RunStart): void {
    const { runId, chatId, messageId, model } = start;
    const abort = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const text = new AnswerText(start.continueFrom, {
      delta: (delta) => this.#apply(this.#session.addText(runId, delta)),
      replaced: (content) => this.#apply(this.#session.replaceText(runId, content)),
    });
    this.#runs.set(runId, { start, text, abort, ended });
    this.#opened(start.credential.userId);
    this.#apply(
      this.#session.startRun({
        run_id: runId,
        chat_id: chatId,
        message_id: messageId,
        model,
        ...start.continueFrom,
        started_at: nowSeconds(),
      }),
    );
    this.#busy += 1;
    void runTurn(
      this.#services(start.credential.userId),
      start,
      text,
      {
        ended: (end) => {
          this.#runs.delete(runId);
          this.#entry.closed(start.credential.userId);
          this.#remember(start);
          this.#ledger.remove(runId);
          this.#apply(this.#session.endRun(runId, endEvents(end)));
          resolve();
        },
      },
      abort,
    ).finally(() => {
      this.#busy -= 1;
    });
  }

  /** Ends the runs that died with an earlier life of this object. Those of this life are not in question. */
  async #recover(): Promise<void> {
    const lost = this.#ledger.list().filter((entry) => !this.#runs.has(entry.runId));
    if (lost.length === 0) return;
    let isLeft = false;
    for (const entry of lost) {
      try {
        const interrupted = await interruptAnswer(this.#services(entry.userId), entry);
        this.#ledger.remove(entry.runId);
        if (interrupted) this.#apply(this.#session.publish(interruptedEvent(interrupted)));
      } catch (error) {
        isLeft = true;
        consoleLog.warn("a lost run was not ended yet", { run_id: entry.runId, error });
      }
    }
    if (isLeft) await this.#beat();
  }

  /** The services of a run; what it says to this very person's tabs needs no way through the runtime. */
  #services(userId: string): Services {
    const services = createServices(this.env, (work) => this.ctx.waitUntil(work));
    const live: LiveSessions = {
      ...services.live,
      publish: (to, event) => (to === userId ? this.publish(event) : services.live.publish(to, event)),
      emit: (to, place, event) => (to === userId ? this.emit(to, place, event) : services.live.emit(to, place, event)),
    };
    return { ...services, live };
  }

  async #beat(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + heartbeat, { allowUnconfirmed: true });
  }

  get #hasJustChanged(): boolean {
    return Date.now() - this.#changedAt < echo;
  }

  /**
   * In case that word of a change was lost, or was kept from those who seemed to be gone: tabs that are looked at send a frame
   * every 30 s, followers every minute.
   * @param options `isUse`: whether such a frame is why
   */
  #lookNowAndThen(options: { isUse: boolean }): Promise<void> | undefined {
    if (Date.now() - this.#lookedAt >= lookEvery)
      this.ctx.waitUntil((this.#looking ??= this.#lookAtAll(options).finally(() => (this.#looking = undefined))));
    // Those who come while it lasts wait too, so that events keep their order.
    return this.#looking;
  }

  async #lookAtAll(options?: { isUse: boolean }): Promise<void> {
    await this.#look([...this.#watchedTabs(), ...this.#watchedRuns(), ...this.#watchedFollowers()], options);
    this.#lookedAt = Date.now();
  }

  /** Ends what may not stay open. Where that cannot be said now, it stays, and the alarm looks again. */
  async #look(open: readonly Watched[], options?: { isUse: boolean }): Promise<void> {
    if (open.length === 0) return;
    try {
      const refused = await lookAgain(
        createServices(this.env, (work) => this.ctx.waitUntil(work)),
        open,
        options,
      );
      await Promise.all([...refused].map(([each, why]) => each.end(why)));
    } catch (error) {
      consoleLog.warn("what is open was not looked at again yet", { user_id: open[0]!.credential.userId, error });
      await this.#beat();
    }
  }

  #watchedTabs(): Watched[] {
    return this.#sockets.notes.map(({ credential }) => ({
      credential,
      end: ({ code }) => this.#apply(this.#session.revoke(code, credential.id)),
    }));
  }

  #watchedRuns(): Watched[] {
    return [...this.#runs.values()].map(({ start, abort }) => ({
      credential: start.credential,
      model: start.model,
      end: () => abort.abort("revoked" satisfies StopReason),
    }));
  }

  #watchedFollowers(): Watched[] {
    return this.#followers.all.map((follower) => this.#watchedFollower(follower));
  }

  #watchedFollower(follower: Follower): Watched {
    return { ...follower, end: (why) => this.#followers.refuse(follower, why) };
  }

  #remember(start: RunStart): void {
    this.#finished.set(messageKey(start), start.runId);
    const [oldest] = this.#finished.keys();
    if (this.#finished.size > mostFinished && oldest !== undefined) this.#finished.delete(oldest);
  }

  #apply(effects: readonly Effect[]): void {
    this.#sockets.carryOut(effects);
  }

  #forget(socket: WebSocket): void {
    const { credential } = socket.deserializeAttachment() as { credential: HeldCredential };
    if (this.#followers.has(socket)) this.#followers.remove(socket);
    else {
      this.#session.closed(this.#sockets.idOf(socket));
      this.#sockets.remove(socket);
    }
    this.#entry.closed(credential.userId);
  }

  #opened(userId: string): void {
    this.#entry.opened(userId, () => this.ctx.waitUntil(this.#lookAtAll()));
  }
}

function messageKey(start: RunStart): string {
  return `${start.chatId} ${start.messageId}`;
}

function entryOf(start: RunStart): LedgerEntry {
  return { runId: start.runId, userId: start.credential.userId, chatId: start.chatId, messageId: start.messageId };
}

/** Resolves with the work, or when the time is over. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, over]);
  clearTimeout(timer);
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
