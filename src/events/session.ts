import type { HeldCredential } from "../access.ts";
import { isTooDeep } from "../lib/json-depth.ts";
import { tryParseJson } from "../lib/json.ts";
import {
  callClosed,
  clientFrame,
  closeSignedOut,
  type LiveEvent,
  type RunSnapshot,
  type ServerFrame,
} from "../shared/live-protocol.ts";
import type { Answer, Answered, Outcome } from "./answers.ts";
import { EventRing, type RingLimits } from "./event-ring.ts";
import { QuestionList, type Question } from "./question-list.ts";

/** What is kept with a socket, and is still there when the object comes back from hibernation. */
export interface SocketNote {
  id: string;
  /** What the socket was opened with. */
  credential: HeldCredential;
  /** Epoch seconds; 0 while the tab is hidden. */
  visibleUntil: number;
  /** Whether the tab has said hello and so gets events. */
  greeted: boolean;
  /** The organization whose channels the person hears: null for none, undefined where it is not known now. */
  hears?: string | null | undefined;
  /** Where the numbering stood; null while it moves too fast to be noted: answers are being written, or much is said in channels. */
  position: { epoch: string; seq: number } | null;
}

/** What has to be done about the sockets, in this order. */
export type Effect =
  | { kind: "send"; socket: string; text: string }
  | { kind: "close"; socket: string; code: number; reason: string }
  | { kind: "keep"; note: SocketNote }
  /** Whoever asked gets this. */
  | { kind: "settle"; questionId: string; outcome: Outcome }
  /** The person is writing there. */
  | { kind: "typing"; channelId: string; parentId: string | null };

/** Close code for frames that are none, or too long. */
export const closePolicy = 1008;
/** Longest frame of a client, in UTF-16 units. */
export const maxFrameLength = 65_536;
/** Seconds that a tab counts as visible after it said so. */
const visibleSeconds = 60;
const ringLimits: RingLimits = { events: 4000, length: 600_000 };
/** What is said in a channel is kept by each of thousands of sessions: it counts as so many times its length. */
const channelWeight = 8;

/**
 * One person's live session: who listens, what was said last, which answers are being written. It only decides: the
 * caller carries out the effects, and supplies time and names. Events get numbers without gaps; every greeted tab gets
 * each event once and in order, or is told (by a welcome that is not `replayed`) to load again.
 */
export class Session {
  #epoch: string;
  #seq = 0;
  #ring: EventRing;
  readonly #limits: RingLimits;
  readonly #sockets = new Map<string, SocketNote>();
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

  /** Effects that a return from hibernation needs: who has lost the numbering is told. */
  resume(): Effect[] {
    return [...this.#sockets.values()]
      .filter((note) => note.greeted && note.position?.epoch !== this.#epoch)
      .flatMap((note) => this.#welcome(note, undefined));
  }

  /** Runs under way, with all of their text. */
  get runs(): readonly RunSnapshot[] {
    return [...this.#runs.values()];
  }

  /** @param hears see `SocketNote`; the latest tab knows best, for all of them */
  open(id: string, credential: HeldCredential, hears: string | null | undefined = null): Effect[] {
    const note: SocketNote = { id, credential, visibleUntil: 0, greeted: false, position: null, hears };
    const others = this.setHears(hears);
    this.#sockets.set(id, note);
    return [...others, keep(note)];
  }

  /** The organization whose channels the person hears; see `SocketNote`. */
  get hears(): string | null | undefined {
    for (const { hears } of this.#sockets.values()) return hears;
    return undefined;
  }

  setHears(hears: string | null | undefined): Effect[] {
    const others = [...this.#sockets.values()].filter((note) => note.hears !== hears);
    return others.map((note) => keep(Object.assign(note, { hears })));
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
  }

  /** A frame of a client. @param now epoch seconds */
  receive(id: string, data: string | ArrayBuffer, now: number): Effect[] {
    const note = this.#sockets.get(id);
    if (!note) return [];
    if (typeof data !== "string") return this.#refuse(id, "frames must be text");
    if (data.length > maxFrameLength) return this.#refuse(id, "frame too long");
    if (data === "ping") return [{ kind: "send", socket: id, text: "pong" }];
    const frame = clientFrame.safeParse(isTooDeep(data) ? undefined : tryParseJson(data));
    if (!frame.success) return this.#refuse(id, "invalid frame");
    if (frame.data.kind === "hello") return this.#welcome(note, frame.data);
    if (frame.data.kind === "answer") return note.greeted ? this.answer(frame.data.call_id, frame.data).effects : [];
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

  /** Questions that wait, as tabs are told them. */
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
    tabs.sort((a, b) => a.visibleUntil - b.visibleUntil);
    const ids = tabs.map(({ id }) => id);
    const question = this.#questions.add(event, call, ids);
    return question?.isSeen ? this.publish(question.event) : [];
  }

  /** The first answer that fits counts. */
  answer(questionId: string, answer: Answer): { answered: Answered; effects: Effect[] } {
    const taken = this.#questions.answer(questionId, answer);
    if (taken.answered !== "answered") return { answered: taken.answered, effects: [] };
    return { answered: "answered", effects: this.#settle(taken.question, taken.outcome, "answered") };
  }

  /** Nobody waits for an answer any more. */
  closeQuestion(questionId: string, reason: "timeout" | "stopped"): Effect[] {
    const question = this.#questions.remove(questionId);
    return question ? this.#settle(question, { kind: "closed", reason }, reason) : [];
  }

  /** Closes the question if no tab has been told of it. */
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

  /** Events were lost: every tab is told to load again, also those that come back later. */
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

  /** Another text takes the place of what has been written of an answer. */
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
      this.#sockets.delete(note.id);
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

  /** Gives the tab the code that nobody else runs. */
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
    // After what was missed, which may speak of a tab before this one.
    return [...welcomed, keep(note), ...this.#adopt(note)];
  }

  #refuse(id: string, reason: string): Effect[] {
    this.#sockets.delete(id);
    return [{ kind: "close", socket: id, code: closePolicy, reason }];
  }

  /** Notes where the numbering stands; hibernation can come only while nothing is being written. */
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
  return new TextDecoder().decode(new TextEncoder().encode(reason).slice(0, 120)).replace(/\ufffd$/, "");
}

/** @param event the JSON of a `LiveEvent`: written once, however many sessions it is for */
function frameOf(seq: number, event: string): string {
  const kind: ServerFrame["kind"] = "event";
  return `{"kind":"${kind}","seq":${seq},${event.slice(1)}`;
}

function keep(note: SocketNote): Effect {
  return { kind: "keep", note: { ...note } };
}
