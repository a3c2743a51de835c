import { EventWriter, type RunningAnswer } from "../src/chat/events/event-writer.ts";
import type { Services } from "../src/context.ts";
import { AppError } from "../src/errors.ts";
import { readAnswer } from "../src/events/answers.ts";
import type { Followed, LiveSessions, RunStart } from "../src/ports.ts";
import type { LiveEvent } from "../src/shared/live-protocol.ts";

type Writing = Pick<Services, "db" | "now">;

/** Stands for the session coordinators: keeps what it was told, in order. */
export interface FakeLiveSessions extends LiveSessions {
  published: { userId: string; event: LiveEvent }[];
  /** Answers that are being written: their text comes from events too. */
  answers: (RunningAnswer & { chatId: string; messageId: string })[];
  /** Questions that were asked; each gets this answer, and without one no tab is open. */
  asked: { userId: string; event: LiveEvent; timeoutMs: number }[];
  answerWith: unknown;
  /** Questions that wait. */
  questions: { userId: string; event: LiveEvent }[];
  revoked: { userId: string; reason: string; sessionId?: string }[];
  rechecked: string[];
  /** Completions that are followed at this moment, in the order in which they began. */
  followed: (Followed & { refuse(error: AppError): void })[];
  /** Who has a tab in view, and of whom that was asked. */
  present: Set<string>;
  presenceAsked: string[];
  runs: RunStart[];
  stopped: { userId: string; runId: string }[];
}

/**
 * Events are stored as in a coordinator. Runs started here stay under way until they are stopped; nobody is present unless said so, and nobody can connect a socket.
 */
export function createFakeLiveSessions(services: () => Writing): FakeLiveSessions {
  const writers = new Map<string, EventWriter>();
  const live: FakeLiveSessions = {
    published: [],
    answers: [],
    questions: [],
    asked: [],
    answerWith: undefined,
    revoked: [],
    rechecked: [],
    followed: [],
    present: new Set(),
    presenceAsked: [],
    runs: [],
    stopped: [],
    async publish(userId, event) {
      live.published.push({ userId, event });
    },
    async emit(userId, place, event) {
      const writer =
        writers.get(userId) ??
        new EventWriter({
          userId,
          services,
          running: ({ chatId, messageId }) =>
            live.answers.find((answer) => answer.chatId === chatId && answer.messageId === messageId),
          publish: (said) => live.publish(userId, said),
        });
      writers.set(userId, writer);
      return writer.emit(place, event);
    },
    async revoke(userId, reason, sessionId) {
      live.revoked.push({ userId, reason, ...(sessionId === undefined ? {} : { sessionId }) });
    },
    async recheck(userIds) {
      live.rechecked.push(...userIds);
    },
    async ask(userId, event, { timeoutMs }) {
      live.asked.push({ userId, event, timeoutMs });
      if (live.answerWith === undefined) throw new AppError("no_client", "This person has no open tab");
      return live.answerWith;
    },
    async answer(userId, questionId, answer) {
      const question = live.questions.find((each) => each.userId === userId && each.event.call?.id === questionId);
      if (!question) return "unknown";
      if (!readAnswer(question.event.data.type, answer)) return "unfit";
      live.questions = live.questions.filter((each) => each !== question);
      return "answered";
    },
    async listQuestions(userId) {
      return live.questions.filter((each) => each.userId === userId).map(({ event }) => event);
    },
    async startRun(start) {
      const known = live.runs.find(
        (run) =>
          run.credential.userId === start.credential.userId &&
          run.chatId === start.chatId &&
          run.messageId === start.messageId,
      );
      if (!known) live.runs.push(start);
      return { runId: (known ?? start).runId, chatId: start.chatId };
    },
    async stopRun(userId, runId) {
      const at = live.runs.findIndex((run) => run.credential.userId === userId && run.runId === runId);
      if (at < 0) return false;
      live.runs.splice(at, 1);
      live.stopped.push({ userId, runId });
      return true;
    },
    async listRuns(userId, chatId) {
      const mine = live.runs.filter(
        (run) => run.credential.userId === userId && (chatId === undefined || run.chatId === chatId),
      );
      return mine.map(({ runId, chatId: chat, messageId }) => ({ runId, chatId: chat, messageId }));
    },
    async isPresent(userId) {
      live.presenceAsked.push(userId);
      return live.present.has(userId);
    },
    followRights(followed, onRefused) {
      const end = () => void (live.followed = live.followed.filter((each) => each !== following));
      const refuse = (error: AppError) => {
        end();
        onRefused(error);
      };
      const following = { ...followed, refuse };
      live.followed.push(following);
      return { end };
    },
    async receive() {
      return false;
    },
    async connect() {
      return new Response("no sockets here", { status: 426 });
    },
  };
  return live;
}
