import { DurableObject } from "cloudflare:workers";
import type { HeldCredential } from "../../src/access.ts";
import type { ChannelNews } from "../../src/channels/live/channel-news.ts";
import { TypingIndicators } from "../../src/channels/live/typing-indicators.ts";
import type { ChatEvent, Emitted, EventPlace } from "../../src/chat/events/chat-event.ts";
import { EventWriter } from "../../src/chat/events/event-writer.ts";
import type { StopReason } from "../../src/chat/run-turn.ts";
import { ActiveRuns } from "../../src/chat/runs/active-runs.ts";
import { type Context, type Services, servicesWith } from "../../src/context.ts";
import { valueOf, type Answer, type Answered } from "../../src/events/answers.ts";
import { DirectoryEntry } from "../../src/events/directory-entry.ts";
import { newQuestion, OpenQuestions } from "../../src/events/open-questions.ts";
import { noteSockets } from "../../src/events/open-sockets.ts";
import { RightsChecker, type EndableItem, type Refusal } from "../../src/events/rights-checker.ts";
import { Session, type Effect } from "../../src/events/session.ts";
import type { SocketNote, SocketRights } from "../../src/events/socket-note.ts";
import { socketRights } from "../../src/events/socket-rights.ts";
import { finishesWithin } from "../../src/lib/finishes-within.ts";
import { newId } from "../../src/lib/id.ts";
import type { LiveSessions, RunStart } from "../../src/ports.ts";
import { sessionChanged, type LiveEvent } from "../../src/shared/live-protocol.ts";
import { IncomingLinks } from "../channels/incoming-links.ts";
import { linkHeader, type LinkTarget } from "../channels/outgoing-link.ts";
import { type Env, startup } from "../env.ts";
import { questionHeader } from "../ports/live-sessions/ask-over-socket.ts";
import { followedHeader, type FollowRequest } from "../ports/live-sessions/follow-over-socket.ts";
import { credentialHeader, pendingFull, rightsHeader } from "../ports/live-sessions/live-sessions.ts";
import { servicesOf } from "../services.ts";
import { CompletionSockets, type OpenCompletion } from "./completion-sockets.ts";
import { QuestionSockets } from "./question-sockets.ts";
import { RunTable } from "./run-table.ts";
import { TabSockets } from "./tab-sockets.ts";

/** Open tabs of one person, with those that were closed here and whose other side has not closed yet. */
const maxSockets = 100;
/** The same while the account waits for approval. */
const maxPendingSockets = 3;
/** Sockets that have not even pinged for so long make room for new ones; milliseconds. Tabs ping every 25 s. */
const silentAfterMs = 90_000;
/** Milliseconds between two alarms while something runs: an object without any request is put away after 70 s. */
const heartbeatMs = 20_000;
/** How long anybody waits here for the database, milliseconds. */
const databaseTimeoutMs = 3000;

/**
 * One person's sockets, runs and questions. `Session` decides what to send to whom; this class has the runtime's parts:
 * hibernating sockets, and work that keeps the object awake.
 */
export class SessionCoordinator extends DurableObject<Env> {
  readonly #session: Session;
  readonly #tabs: TabSockets;
  readonly #completions: CompletionSockets;
  readonly #questionSockets: QuestionSockets;
  readonly #runs: ActiveRuns;
  readonly #questions: OpenQuestions;
  readonly #rights: RightsChecker;
  readonly #directoryEntry: DirectoryEntry;
  readonly #typing: TypingIndicators;
  readonly #links: IncomingLinks;
  #events: EventWriter | undefined;
  #recovery: Promise<void>;
  /** Work that must not be put away: runs, what they do after their answers, and questions. */
  #busy = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
    const apply = (effects: readonly Effect[]) => this.#apply(effects);
    const hold = () => this.#hold();
    const { environment } = startup(env);
    this.#tabs = new TabSockets(ctx, (count) => noteSockets(environment, ctx.id.toString(), count));
    this.#completions = new CompletionSockets(ctx);
    this.#session = new Session(newId(), this.#tabs.notes);
    this.#questions = new OpenQuestions(this.#session, apply, hold);
    this.#questionSockets = new QuestionSockets(ctx, this.#questions);
    this.#runs = new ActiveRuns({
      session: this.#session,
      stored: new RunTable(ctx.storage),
      apply,
      hold,
      services: (userId) => this.#services(userId),
      opened: (userId) => this.#opened(userId),
      closed: (userId) => this.#directoryEntry.closed(userId),
      settled: async (chatId) => this.#events?.settled(chatId),
    });
    this.#rights = new RightsChecker({
      services: () => servicesOf(env, (work) => ctx.waitUntil(work)),
      listOpen: () => [...this.#endableTabs(), ...this.#runs.endable(), ...this.#endableCompletions()],
      waitUntil: (work) => ctx.waitUntil(work),
      onFound: (found) => this.#found(found),
      onFailed: () => this.#beat(),
    });
    this.#directoryEntry = new DirectoryEntry(
      () => this.#directory,
      () => this.#tabs.size === 0 && this.#runs.size === 0 && this.#completions.all.length === 0,
    );
    this.#typing = new TypingIndicators(() => servicesOf(env, (work) => ctx.waitUntil(work)));
    this.#links = new IncomingLinks({
      show: (news) => this.#showNews(news),
      hear: (news) => this.hear(news),
      missed: () => this.#apply(this.#session.reload()),
      changed: (hasLinks) => this.#apply(this.#session.setPinned(hasLinks)),
    });
    this.#apply(this.#session.resume());
    this.#recovery = this.#recover();
  }

  override async fetch(request: Request): Promise<Response> {
    if (request.headers.has(questionHeader)) return this.#questionSockets.accept();
    const linked = request.headers.get(linkHeader);
    if (linked !== null) return this.#links.accept(JSON.parse(linked) as LinkTarget);
    const followed = request.headers.get(followedHeader);
    return followed === null
      ? this.#openTab(
          JSON.parse(request.headers.get(credentialHeader)!) as HeldCredential,
          JSON.parse(request.headers.get(rightsHeader)!) as SocketRights,
        )
      : this.#follow(JSON.parse(decodeURIComponent(followed)) as FollowRequest);
  }

  #follow({ credential, model, isStale }: FollowRequest): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    const completion = this.#completions.accept(server, { credential, model });
    this.#opened(credential.userId);
    if (isStale || this.#rights.hasJustChanged)
      this.ctx.waitUntil(this.#rights.check([this.#endableCompletion(completion)]));
    return new Response(null, { status: 101, webSocket: client });
  }

  async #openTab(credential: HeldCredential, rights: SocketRights): Promise<Response> {
    if (rights.isPending && !this.#session.isPending && !(await this.#directory.admitPending(credential.userId)))
      return new Response(pendingFull, { status: 429 });
    const max = rights.isPending ? maxPendingSockets : maxSockets;
    if (this.#tabs.connections >= max)
      this.#tabs.silentSince(Date.now() - silentAfterMs).forEach((socket) => this.#forget(socket));
    if (this.#tabs.connections >= max) return new Response(null, { status: 429 });
    const { 0: client, 1: server } = new WebSocketPair();
    const id = newId();
    this.#tabs.accept(id, server);
    // The rights that its request was checked with may have just changed.
    const { hasJustChanged } = this.#rights;
    this.#apply(
      this.#session.open(id, credential, hasJustChanged ? { ...rights, hears: undefined } : rights, Date.now()),
    );
    this.#opened(credential.userId);
    if (hasJustChanged) this.ctx.waitUntil(this.#rights.check(this.#endableTabs()));
    return new Response(null, { status: 101, webSocket: client });
  }

  override async webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    if (this.#questionSockets.has(socket)) return this.#questionSockets.receive(socket, data);
    if (this.#completions.has(socket)) {
      void this.#rights.checkIfDue({ isUse: true });
      return;
    }
    // What still comes from a socket that was closed here has no effect.
    if (!this.#tabs.has(socket)) return;
    const id = this.#tabs.idOf(socket);
    this.#apply(this.#session.countFrame(id, Date.now()));
    if (!this.#tabs.has(socket)) return;
    void this.#rights.checkIfDue({ isUse: true });
    // Anyone who says hello loads the chat next, and should not find an answer there that nobody writes any more.
    await finishesWithin(databaseTimeoutMs, this.#recovery);
    if (!this.#session.isGreeted(id)) await this.#known(socket);
    // An answer has effects: check again that its tab may still act for the person.
    if (this.#session.isAnswer(data)) await this.#rights.check(this.#endableTabs().filter((tab) => tab.id === id));
    this.#runs.flush();
    this.#apply(this.#session.receive(id, data, nowSeconds()));
  }

  /** A frame of a tab that reads its events as a stream. @returns whether there is such a tab */
  async receive(credentialId: string, tab: string, frame: string): Promise<boolean> {
    const socket = this.#tabs.find(tab, credentialId);
    return socket === undefined ? false : this.webSocketMessage(socket, frame).then(() => true);
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    this.#forget(socket);
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    this.#forget(socket);
  }

  /** Sends an event to all tabs; after a long silence, only to those that may still be open. */
  async publish(event: LiveEvent): Promise<void> {
    const looking = this.#tabs.size > 0 ? this.#rights.checkIfDue({ isUse: false }) : undefined;
    if (looking) await finishesWithin(databaseTimeoutMs, looking);
    this.#apply(this.#session.publish(event));
  }

  /**
   * Sends channel events to all tabs, if the person may receive them.
   * @throws Error if that is not known now: retry later
   */
  async hear(news: ChannelNews): Promise<void> {
    if (this.#showNews(news)) return;
    await finishesWithin(databaseTimeoutMs, this.#rights.checkNow());
    if (!this.#showNews(news)) throw new Error("could not check whether the person may receive channel events");
  }

  /** @returns false where it is not known whether the person may hear them */
  #showNews({ userId, organizationId, events, isWhole }: ChannelNews): boolean {
    // The directory has not heard yet that nothing is open here.
    if (this.#tabs.size === 0) this.#directoryEntry.leave(userId);
    else {
      this.#rights.checkSoon();
      const { hears } = this.#session;
      if (hears === undefined) return false;
      if (hears === organizationId)
        this.#apply(isWhole ? this.#session.publishChannel(events) : this.#session.reload());
    }
    return true;
  }

  /** Stores an event of the person's chats and shows it; see `EventWriter`. */
  async emit(userId: string, place: EventPlace, event: ChatEvent): Promise<Emitted> {
    this.#events ??= new EventWriter({
      userId,
      services: () => this.#services(userId),
      running: (message) => this.#runs.writing(message),
      publish: (said) => this.publish(said),
    });
    return this.#events.emit(place, event);
  }

  /** An answer that does not come over a socket. */
  answer(questionId: string, answer: Answer): Answered {
    const { answered, effects } = this.#session.answer(questionId, answer);
    this.#apply(effects);
    return answered;
  }

  listQuestions(): LiveEvent[] {
    return this.#session.questions;
  }

  /** Ends everything opened with one credential, or everything. */
  async revoke(reason: string, credentialId?: string): Promise<void> {
    const why: Refusal = { code: "session_ended", message: "The session has ended: sign in again" };
    this.#rights.noteChange();
    this.#apply(this.#session.revoke(reason, credentialId));
    const ending = [...this.#runs.endable(), ...this.#endableCompletions()].filter(
      ({ credential }) => credentialId === undefined || credential.id === credentialId,
    );
    await Promise.all(ending.map((each) => each.end(why)));
  }

  /** Permissions have changed: rechecks open connections, and tells those that stay. */
  async recheck(userId: string): Promise<void> {
    this.#rights.noteChange();
    this.#apply(this.#session.setRights({ hears: undefined, isPending: this.#session.isPending }));
    this.#directoryEntry.leave(userId);
    await this.#rights.checkAll();
    if (this.#tabs.size > 0) this.#apply(this.#session.publish({ data: { type: sessionChanged, data: {} } }));
  }

  isPresent(): boolean {
    return this.#session.isPresent(nowSeconds());
  }

  /** Whether a tab is open that counts among those of accounts waiting for approval. */
  hasPendingTabs(): boolean {
    return this.#session.isPending;
  }

  listRuns(chatId?: string): { runId: string; chatId: string; messageId: string }[] {
    return this.#runs.list(chatId);
  }

  /**
   * Resolves when the run has ended and its text is stored, or after a time limit.
   * @returns whether the run existed
   */
  async stopRun(runId: string): Promise<boolean> {
    const run = this.#runs.get(runId);
    if (!run) return false;
    run.abort.abort("stopped" satisfies StopReason);
    await finishesWithin(databaseTimeoutMs, run.ended);
    return true;
  }

  async startRun(start: RunStart): Promise<{ runId: string; chatId: string } | "too_many"> {
    return this.#runs.start(start);
  }

  override async alarm(): Promise<void> {
    await this.#recovery;
    await this.#rights.checkAll();
    if (this.#busy > 0) return this.#beat();
    // Runs that could not be ended before, because the database was not reachable.
    this.#recovery = this.#recover();
    await this.#recovery;
  }

  async #recover(): Promise<void> {
    if (await this.#runs.recover()) await this.#beat();
  }

  /** The services of a run; what it says to this very person's tabs needs no way through the runtime. */
  #services(userId: string): Services {
    const services = servicesOf(this.env, (work) => this.ctx.waitUntil(work));
    const { live: others } = services;
    const live: LiveSessions = {
      ...others,
      publish: (to, event) => (to === userId ? this.publish(event) : others.publish(to, event)),
      emit: (to, place, event) => (to === userId ? this.emit(to, place, event) : others.emit(to, place, event)),
      ask: async (to, event, { timeoutMs, signal }) =>
        to === userId
          ? valueOf(await this.#questions.ask(newQuestion(event, timeoutMs), signal))
          : others.ask(to, event, { timeoutMs, signal }),
    };
    return servicesWith(services, { live });
  }

  /** Keeps the object from being put away. @returns what lets go of it */
  #hold(): () => void {
    this.#busy += 1;
    this.ctx.waitUntil(this.#beat());
    return () => void (this.#busy -= 1);
  }

  async #beat(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + heartbeatMs, { allowUnconfirmed: true });
  }

  #endableTabs(): (EndableItem & { id: string })[] {
    return this.#tabs.notes.map(({ id, credential }) => ({
      id,
      credential,
      end: ({ code }) => this.#apply(this.#session.revoke(code, credential.id)),
    }));
  }

  #endableCompletions(): EndableItem[] {
    return this.#completions.all.map((completion) => this.#endableCompletion(completion));
  }

  #endableCompletion(completion: OpenCompletion): EndableItem {
    return { ...completion, end: (why) => this.#completions.refuse(completion, why) };
  }

  #apply(effects: readonly Effect[]): void {
    for (const id of this.#tabs.carryOut(effects)) this.#session.closed(id);
    for (const effect of effects) {
      if (effect.kind === "settle") this.#questions.settle(effect.questionId, effect.outcome);
      else if (effect.kind === "typing") this.#sayTyping(effect);
    }
  }

  #forget(socket: WebSocket): void {
    if (this.#questionSockets.has(socket)) return this.#questionSockets.remove(socket);
    const { credential } = socket.deserializeAttachment() as { credential: HeldCredential };
    if (this.#completions.has(socket)) this.#completions.remove(socket);
    else {
      this.#session.closed(this.#tabs.idOf(socket));
      this.#tabs.remove(socket);
    }
    this.#directoryEntry.closed(credential.userId);
  }

  get #directory() {
    return this.env.OPEN_DIRECTORY.getByName("directory");
  }

  /** Who the person is now. */
  #found(found: Context): void {
    const wasPending = this.#session.isPending;
    const rights = socketRights(found);
    this.#apply(this.#session.setRights(rights));
    if (wasPending && !rights.isPending && found.actor.kind === "user")
      // Where this gets lost, the directory asks when it has too many.
      this.ctx.waitUntil(this.#directory.leavePending(found.actor.id).catch(() => undefined));
  }

  #opened(userId: string): Promise<void> {
    return this.#directoryEntry.opened(userId, () => this.ctx.waitUntil(this.#rights.checkAll()));
  }

  /**
   * Waits until the directory knows the person: new tabs load the current state and rely on being told about later
   * changes. If the directory does not respond for long, they are accepted and later told to reload.
   */
  async #known(socket: WebSocket): Promise<void> {
    const { credential } = socket.deserializeAttachment() as SocketNote;
    const known = this.#opened(credential.userId);
    if (await finishesWithin(databaseTimeoutMs, known)) return;
    this.ctx.waitUntil(known.then(() => this.#apply(this.#session.reload())));
  }

  #sayTyping(place: { channelId: string; parentId: string | null }): void {
    const [first] = this.#tabs.notes;
    if (first && typeof this.#session.hears === "string")
      this.ctx.waitUntil(this.#typing.tell(first.credential.userId, place));
  }
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
