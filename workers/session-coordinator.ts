import { DurableObject } from "cloudflare:workers";
import { resolveActorById } from "../src/auth/resolve-actor.ts";
import { interruptAnswer } from "../src/chat/conversations/write-answer.ts";
import { endEvents } from "../src/chat/end-events.ts";
import { runTurn, type StopReason } from "../src/chat/run-turn.ts";
import { interruptedEvent } from "../src/chat/sweep-answers.ts";
import type { Services } from "../src/context.ts";
import { AppError } from "../src/errors.ts";
import type { LiveEvent } from "../src/events/protocol.ts";
import { Session, type Effect } from "../src/events/session.ts";
import { newId } from "../src/lib/id.ts";
import { consoleLog } from "../src/lib/log.ts";
import type { LiveSessions, RunStart } from "../src/ports.ts";
import type { Env } from "./env.ts";
import { sessionHeader } from "./live-sessions.ts";
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
/** Finished runs that are remembered, so that a start that comes late starts nothing. */
const mostFinished = 200;

interface ActiveRun {
  start: RunStart;
  abort: AbortController;
  /** Resolves when the answer has ended and is stored. */
  ended: Promise<void>;
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
  #recovery: Promise<void>;
  /** Work that must not be put away: runs, and what they do after their answers. */
  #busy = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
    this.#ledger = new RunLedger(ctx.storage);
    this.#sockets = new SocketSet(ctx);
    this.#session = new Session(newId(), this.#sockets.notes);
    this.#apply(this.#session.resume());
    this.#recovery = this.#recover();
  }

  override async fetch(request: Request): Promise<Response> {
    if (this.#sockets.size >= mostSockets)
      this.#sockets.silentSince(Date.now() - silentAfter).forEach((socket) => this.#forget(socket));
    if (this.#sockets.size >= mostSockets) return new Response(null, { status: 429 });
    const { 0: client, 1: server } = new WebSocketPair();
    const id = newId();
    this.#sockets.accept(id, server);
    this.#apply(this.#session.open(id, request.headers.get(sessionHeader)));
    return new Response(null, { status: 101, webSocket: client });
  }

  override async webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
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

  /** Sends an event to all tabs. */
  publish(event: LiveEvent): void {
    this.#apply(this.#session.publish(event));
  }

  /** Signs out the tabs of one session or of all, and stops the runs that it started. */
  revoke(reason: string, sessionId?: string): void {
    this.#apply(this.#session.revoke(reason, sessionId));
    for (const run of this.#runs.values()) {
      if (sessionId === undefined || run.start.sessionId === sessionId) run.abort.abort("revoked" satisfies StopReason);
    }
  }

  /** Asks the database again about every session behind a tab or a run, and revokes those that no longer count. */
  async recheck(userId: string): Promise<void> {
    const services = this.#services(userId);
    const sessionIds = new Set([
      ...this.#sockets.notes.map((note) => note.sessionId),
      ...[...this.#runs.values()].map((run) => run.start.sessionId),
    ]);
    for (const id of sessionIds) {
      if (id === null) continue;
      try {
        await resolveActorById(services, userId, { kind: "session", id });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        this.revoke(error.code, id);
      }
    }
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
    if (this.#busy > 0) return this.#beat();
    // What could not be ended before, because the database was away.
    this.#recovery = this.#recover();
    await this.#recovery;
  }

  #run(start: RunStart): void {
    const { runId, chatId, messageId, model } = start;
    const abort = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    this.#runs.set(runId, { start, abort, ended });
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
      this.#services(start.userId),
      start,
      {
        delta: (delta) => this.#apply(this.#session.addText(runId, delta)),
        ended: (end) => {
          this.#runs.delete(runId);
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
      publish: async (to, event) => (to === userId ? this.publish(event) : services.live.publish(to, event)),
    };
    return { ...services, live };
  }

  async #beat(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + heartbeat, { allowUnconfirmed: true });
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
    this.#session.closed(this.#sockets.idOf(socket));
    this.#sockets.remove(socket);
  }
}

function messageKey(start: RunStart): string {
  return `${start.chatId} ${start.messageId}`;
}

function entryOf(start: RunStart): LedgerEntry {
  return { runId: start.runId, userId: start.userId, chatId: start.chatId, messageId: start.messageId };
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
