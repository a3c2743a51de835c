import type { LiveEvent } from "../src/events/protocol.ts";
import type { LiveSessions, RunStart } from "../src/ports.ts";

/** Stands for the session coordinators: keeps what it was told, in order. */
export interface FakeLiveSessions extends LiveSessions {
  published: { userId: string; event: LiveEvent }[];
  revoked: { userId: string; reason: string; sessionId?: string }[];
  rechecked: string[];
  runs: RunStart[];
  stopped: { userId: string; runId: string }[];
}

/** Runs started here stay under way until they are stopped; nobody is present, and nobody can connect a socket. */
export function createFakeLiveSessions(): FakeLiveSessions {
  const live: FakeLiveSessions = {
    published: [],
    revoked: [],
    rechecked: [],
    runs: [],
    stopped: [],
    async publish(userId, event) {
      live.published.push({ userId, event });
    },
    async revoke(userId, reason, sessionId) {
      live.revoked.push({ userId, reason, ...(sessionId === undefined ? {} : { sessionId }) });
    },
    async recheck(userIds) {
      live.rechecked.push(...userIds);
    },
    async startRun(start) {
      const known = live.runs.find(
        (run) => run.userId === start.userId && run.chatId === start.chatId && run.messageId === start.messageId,
      );
      if (!known) live.runs.push(start);
      return { runId: (known ?? start).runId, chatId: start.chatId };
    },
    async stopRun(userId, runId) {
      const at = live.runs.findIndex((run) => run.userId === userId && run.runId === runId);
      if (at < 0) return false;
      live.runs.splice(at, 1);
      live.stopped.push({ userId, runId });
      return true;
    },
    async listRuns(userId, chatId) {
      const mine = live.runs.filter((run) => run.userId === userId && (chatId === undefined || run.chatId === chatId));
      return mine.map(({ runId, chatId: chat, messageId }) => ({ runId, chatId: chat, messageId }));
    },
    async isPresent() {
      return false;
    },
    async connect() {
      return new Response("no sockets here", { status: 426 });
    },
  };
  return live;
}
