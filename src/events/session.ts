import type { HeldCredential } from "../access.ts";
import { isTooDeep } from "../lib/json-depth.ts";
import { tryParseJson } from "../lib/json.ts";
import { TokenBucket, type BucketLimits } from "../lib/token-bucket.ts";
import { utf8Text } from "../lib/utf8.ts";
import {
  callClosed,
  clientFrame,
  closePolicy,
  closeSignedOut,
  closeTryLater,
  type LiveEvent,
  type RunSnapshot,
  type ServerFrame,
} from "../shared/live-protocol.ts";
import type { Answer, Answered, Outcome } from "./answers.ts";
import { EventRing, type RingLimits } from "./event-ring.ts";
import { QuestionList, type Question } from "./question-list.ts";
import type { SocketNote, SocketRights } from "./socket-note.ts";

/** What to do with the sockets, in this order. */
export type Effect =
  | { kind: "send"; socket: string; text: string }
  | { kind: "close"; socket: string; code: number; reason: string }
  | { kind: "keep"; note: SocketNote }
  /** Anyone who asked gets this. */
  | { kind: "settle"; questionId: string; outcome: Outcome }
  /** The person is writing there. */
  | { kind: "typing"; channelId: string; parentId: string | null };

/** Maximum length of a client's frame, in UTF-16 units. */
export const maxFrameLength = 65_536;
/** Frames that a client may send. Answers to questions that waited for one do not count: plugins decide how many there are. */
const frameLimits: BucketLimits = { maxBurst: 100, maxPerSecond: 5 };
/** Seconds that a tab counts as visible after it said so. */
const visibleSeconds = 60;
const ringLimits: RingLimits = { events: 4000, length: 600_000, replay: 250_000 };
/** Channel events are stored by thousands of sessions: they count as this many times their length. */
const channelWeight = 8;

/**
 * One person's live session: listeners, latest events, running answers. It only decides: the caller executes the
 * effects and supplies time and ids. Events have numbers without gaps; every connected tab gets each event once and in
 * order, or is told (by a welcome that is not `replayed`) to reload.
 */
export class Session {
  #epoch: string;
  #seq = 0;
  #ring: EventRing;
  readonly #limits: RingLimits;
  readonly #sockets = new Map<string, SocketNote>();
  /** What each client may send now; full again after a hibernation. */
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #runs = new Map<string, RunSnapshot>();
  readonly #questions = new QuestionList();
  #isPinned = false;

  /**
   * @param epoch a name never used before
   * @param notes of the sockets that were open before a hibernation: the numbering goes on where they agree that it was
   */
  constructor(epoch: string, notes: readonly SocketNote[] = [], limits: RingLimits = ringLimits) {
    const greeted = notes.filter((note) => note.greeted);
    const [first] = greeted;
    const agreed = greeted.every(
      ({ position }) => position?.epoch === first?.position?.epoch && position?.seq === first?.position?.seq,
    );
    const position = agreed ? first?.position : undefined;
    this.#epoch = position?.epoch ?? epoch;
    this.#seq = position?.seq ?? 0;
    this.#limits = limits;
    this.#ring = new EventRing(limits, this.#seq);
    for (const note of notes) this.#sockets.set(note.id, { ...note });
  }

  /** Effects after a hibernation: tabs with another numbering are welcomed again. */
  resume(): Effect[] {
    return [...this.#sockets.values()]
      .filter((note) => note.greeted && note.position?.epoch !== this.#epoch)
      .flatMap((note) => this.#welcome(note, undefined));
  }

  /** Runs under way, with all of their text. */
  get runs(): readonly RunSnapshot[] {
    return [...this.#runs.values()];
  }

  /**
   * @param rights the latest tab knows best, for all of them
   * @param now epoch milliseconds
   */
  open(
    id: string,
    credential: HeldCredential,
    rights: SocketRights = { hears: null, isPending: false },
    now = 0,
  ): Effect[] {
    const note: SocketNote = {
      id,
      credential,
      openedAt: now,
      visibleUntil: 0,
      greeted: false,
      position: null,
      ...rights,
    };
    const others = this.setRights(rights);
    this.#sockets.set(id, note);
    return [...others, keep(note)];
  }

  /** See `SocketRights`. */
  get hears(): string | null | undefined {
    for (const { hears } of this.#sockets.values()) return hears;
    return undefined;
  }

  setRights(rights: SocketRights): Effect[] {
    const others = [...this.#sockets.values()].filter(
      (note) => note.hears !== rights.hears || note.isPending !== rights.isPending,
    );
    return others.map((note) => keep(Object.assign(note, rights)));
  }

  /** Whether a tab is open for an account that waits for approval. */
  get isPending(): boolean {
    return [...this.#sockets.values()].some((note) => note.isPending);
  }

  /**
   * While the caller keeps the session from hibernating, for as long as more events come than can be noted.
   */
  setPinned(isPinned: boolean): Effect[] {
    if (isPinned === this.#isPinned) return [];
    this.#isPinned = isPinned;
    return this.#keepAll();
  }

  /** Whether the numbering moves too fast to be noted. */
  get #isMoving(): boolean {
    return this.#isPinned || this.#runs.size > 0;
  }

  /** Whether the tab has said hello. */
  isGreeted(id: string): boolean {
    return this.#sockets.get(id)?.greeted === true;
  }

  closed(id: string): void {
    this.#sockets.delete(id);
    this.#buckets.delete(id);
  }

  /**
   * Counts a frame of a client, before anything else is done for it.
   * @param now epoch milliseconds
   * @returns effects if it is one too many
   */
  countFrame(id: string, now: number): Effect[] {
    if (!this.#sockets.has(id)) return [];
    const bucket = this.#buckets.get(id) ?? new TokenBucket(frameLimits, now);
    this.#buckets.set(id, bucket);
    return bucket.take(now) ? [] : this.#refuse(id, "too many frames", closeTryLater);
  }

  /** A frame of a client. @param now epoch seconds */
  receive(id: string, data: string | ArrayBuffer, now: number): Effect[] {
    const note = this.#sockets.get(id);
    if (!note) return [];
    if (typeof data !== "string") return this.#refuse(id, "frames must be text");
    if (data.length > maxFrameLength) return this.#refuse(id, "frame too long");
    const frame = clientFrame.safeParse(isTooDeep(data) ? undefined : tryParseJson(data));
    if (!frame.success) return this.#refuse(id, "invalid frame");
    if (frame.data.kind === "hello")
      return note.greeted ? this.#refuse(id, "hello was said before") : this.#welcome(note, frame.data);
    if (frame.data.kind === "answer") {
      if (!note.greeted) return [];
      const { answered, effects } = this.answer(frame.data.call_id, frame.data);
      if (answered === "answered") this.#buckets.get(id)?.giveBack();
      return effects;
    }
    if (frame.data.kind === "typing")
      return [{ kind: "typing", channelId: frame.data.channel_id, parentId: frame.data.parent_id }];
    note.visibleUntil = frame.data.visible ? now + visibleSeconds : 0;
    return [keep(note), ...(frame.data.visible && note.greeted ? this.#adopt(note) : [])];
  }

  /** Whether the frame answers a question that waits. */
  isAnswer(data: string | ArrayBuffer): boolean {
    if (typeof data !== "string" || data.length > maxFrameLength || !data.includes('"answer"') || isTooDeep(data))
      return false;
    const frame = clientFrame.safeParse(tryParseJson(data));
    return frame.data?.kind === "answer" && this.#questions.has(frame.data.call_id);
  }

  /** The open questions, as tabs receive them. */
  get questions(): LiveEvent[] {
    return this.#questions.events;
  }

  /**
   * Asks: every tab gets the question, also those that come later, until it is settled. Asking again under the same id
   * changes nothing.
   * @param call `expires_at` in epoch seconds
   */
  ask(event: LiveEvent, call: { id: string; expires_at: number }): Effect[] {
    const tabs = [...this.#sockets.values()].filter((note) => note.greeted);
    const question = this.#questions.add(event, call, tabs);
    return question?.isSeen ? this.publish(question.event) : [];
  }

  /** The first answer that fits counts. */
  answer(questionId: string, answer: Answer): { answered: Answered; effects: Effect[] } {
    const taken = this.#questions.answer(questionId, answer);
    if (taken.answered !== "answered") return { answered: taken.answered, effects: [] };
    return { answered: "answered", effects: this.#settle(taken.question, taken.outcome, "answered") };
  }

  /** Closes the question without an answer. */
  closeQuestion(questionId: string, reason: "timeout" | "stopped"): Effect[] {
    const question = this.#questions.remove(questionId);
    return question ? this.#settle(question, { kind: "closed", reason }, reason) : [];
  }

  /** Closes the question if no tab has received it. */
  closeUnseen(questionId: string): Effect[] {
    const question = this.#questions.remove(questionId, { unseen: true });
    return question ? [{ kind: "settle", questionId, outcome: { kind: "closed", reason: "no_client" } }] : [];
  }

  /** Whether the person has a tab that was visible within the last minute. */
  isPresent(now: number): boolean {
    return [...this.#sockets.values()].some((note) => note.visibleUntil > now);
  }

  /** Gives the event the next number and sends it to every tab. */
  publish(event: LiveEvent): Effect[] {
    return this.#publish([JSON.stringify(event)], 1);
  }

  /** The same with events of a channel, in this order. @param events each the JSON of a `LiveEvent` */
  publishChannel(events: readonly string[]): Effect[] {
    return this.#publish(events, channelWeight);
  }

  /** Events were lost: every tab has to reload, also those that reconnect later. */
  reload(): Effect[] {
    this.#seq += 1;
    this.#ring = new EventRing(this.#limits, this.#seq);
    const greeted = [...this.#sockets.values()].filter((note) => note.greeted);
    return greeted.flatMap((note) => this.#welcome(note, undefined));
  }

  /** An answer begins (or goes on from `content`). */
  startRun(run: RunSnapshot): Effect[] {
    const wasIdle = !this.#isMoving;
    this.#runs.set(run.run_id, { ...run });
    const started = this.publish({
      ...placeOf(run),
      data: { type: "chat:active", data: { active: true, model: run.model } },
    });
    return wasIdle ? [...this.#keepAll(), ...started] : started;
  }

  /** More text of an answer. */
  addText(runId: string, text: { content: string; reasoning: string }): Effect[] {
    const run = this.#runs.get(runId);
    if (!run) return [];
    const effects: Effect[] = [];
    for (const [field, type] of deltaTypes) {
      if (text[field] === "") continue;
      run[field] += text[field];
      effects.push(...this.publish({ ...placeOf(run), data: { type, data: { content: text[field] } } }));
    }
    return effects;
  }

  /** Replaces the text written so far of an answer. */
  replaceText(runId: string, content: string): Effect[] {
    const run = this.#runs.get(runId);
    if (!run) return [];
    run.content = content;
    return this.publish({ ...placeOf(run), data: { type: "chat:message", data: { content } } });
  }

  /** The answer is over; `events` say how. */
  endRun(runId: string, events: readonly LiveEvent["data"][]): Effect[] {
    const run = this.#runs.get(runId);
    if (!run) return [];
    this.#runs.delete(runId);
    return events.flatMap((data) => this.publish({ ...placeOf(run), data }));
  }

  /** Signs the tabs of one credential out, or all tabs. */
  revoke(reason: string, credentialId?: string): Effect[] {
    const effects: Effect[] = [];
    for (const note of this.#sockets.values()) {
      if (credentialId !== undefined && note.credential.id !== credentialId) continue;
      this.closed(note.id);
      const frame: ServerFrame = { kind: "signed-out", reason };
      effects.push(
        { kind: "send", socket: note.id, text: JSON.stringify(frame) },
        { kind: "close", socket: note.id, code: closeSignedOut, reason: shortened(reason) },
      );
    }
    return effects;
  }

  #publish(events: readonly string[], weight: number): Effect[] {
    const effects: Effect[] = [];
    for (const event of events) {
      this.#seq += 1;
      this.#ring.push(this.#seq, event, weight);
      const text = frameOf(this.#seq, event);
      for (const note of this.#sockets.values())
        if (note.greeted) effects.push({ kind: "send", socket: note.id, text });
    }
    return this.#isMoving ? effects : [...effects, ...this.#keepAll()];
  }

  #settle({ event }: Question, outcome: Outcome, reason: string): Effect[] {
    const { call, data: _, ...place } = event;
    const closed = this.publish({ ...place, data: { type: callClosed, data: { call_id: call.id, reason } } });
    return [{ kind: "settle", questionId: call.id, outcome }, ...closed];
  }

  /** Gives the tab code questions whose tab has been closed. */
  #adopt(note: SocketNote): Effect[] {
    const adopted = this.#questions.adopt(note.id, (tab) => this.#sockets.get(tab)?.greeted === true);
    return adopted.flatMap((question) => this.publish(question.event));
  }

  #welcome(note: SocketNote, hello: { epoch?: string | undefined; since?: number | undefined } | undefined): Effect[] {
    const known = hello?.epoch === this.#epoch && hello.since !== undefined;
    const missed = known ? this.#ring.after(hello.since!, this.#seq) : undefined;
    note.greeted = true;
    this.#questions.seen();
    note.position = this.#isMoving ? null : { epoch: this.#epoch, seq: this.#seq };
    const welcome: ServerFrame = {
      kind: "welcome",
      epoch: this.#epoch,
      seq: this.#seq,
      session_id: note.id,
      replayed: missed !== undefined,
      runs: [...this.#runs.values()],
      calls: this.questions,
    };
    const texts = [JSON.stringify(welcome), ...(missed ?? []).map(({ seq, text }) => frameOf(seq, text))];
    const welcomed = texts.map((text): Effect => ({ kind: "send", socket: note.id, text }));
    // After the missed events, which may name an earlier tab.
    return [...welcomed, keep(note), ...this.#adopt(note)];
  }

  #refuse(id: string, reason: string, code = closePolicy): Effect[] {
    this.closed(id);
    return [{ kind: "close", socket: id, code, reason }];
  }

  /** Stores the position of the numbering; hibernation happens only while nothing is being written. */
  #keepAll(): Effect[] {
    const position = this.#isMoving ? null : { epoch: this.#epoch, seq: this.#seq };
    return [...this.#sockets.values()]
      .filter((note) => note.greeted)
      .map((note) => keep(Object.assign(note, { position })));
  }
}

const deltaTypes = [
  ["reasoning", "chat:reasoning:delta"],
  ["content", "chat:message:delta"],
] as const;

function placeOf(run: RunSnapshot) {
  return { chat_id: run.chat_id, message_id: run.message_id, run_id: run.run_id };
}

/** Close reasons may have 123 bytes (RFC 6455, section 5.5). */
function shortened(reason: string): string {
  return utf8Text(new TextEncoder().encode(reason).slice(0, 120)).replace(/\ufffd$/, "");
}

/** @param event the JSON of a `LiveEvent`: written once, however many sessions it is for */
function frameOf(seq: number, event: string): string {
  const kind: ServerFrame["kind"] = "event";
  return `{"kind":"${kind}","seq":${seq},${event.slice(1)}`;
}

function keep(note: SocketNote): Effect {
  return { kind: "keep", note: { ...note } };
}
