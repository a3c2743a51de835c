import { AppError } from "../src/errors.ts";
import { consoleLog } from "../src/lib/log.ts";
import type { LiveSessions } from "../src/ports.ts";
import type { Env } from "./env.ts";

/** Carries the sign-in session of a socket from the Worker to the object. */
export const sessionHeader = "x-parley-session";

/** Coordinators that are told at the same time to look again. */
const recheckedAtOnce = 32;

/** The session coordinators, one object for each person, behind the port that verbs know. */
export function createLiveSessions(env: Pick<Env, "SESSION_COORDINATOR">): LiveSessions {
  const of = (userId: string) => env.SESSION_COORDINATOR.getByName(userId);
  return {
    async publish(userId, event) {
      try {
        await of(userId).publish(event);
      } catch (error) {
        consoleLog.warn("tabs were not told", { user_id: userId, type: event.data.type, error });
      }
    },
    async revoke(userId, reason, sessionId) {
      await of(userId).revoke(reason, sessionId);
    },
    async recheck(userIds) {
      const left = [...new Set(userIds)];
      const recheckNext = async (): Promise<void> => {
        for (let userId = left.pop(); userId !== undefined; userId = left.pop()) {
          try {
            await of(userId).recheck(userId);
          } catch (error) {
            consoleLog.warn("what is open did not look again at its rights", { user_id: userId, error });
          }
        }
      };
      await Promise.all(Array.from({ length: Math.min(recheckedAtOnce, left.length) }, recheckNext));
    },
    async startRun(start) {
      const started = await of(start.userId).startRun(start);
      if (started === "too_many")
        throw new AppError("too_many_requests", "Too many answers are being written for you: stop one, or wait", {
          retryAfter: 5,
        });
      return { runId: started.runId, chatId: started.chatId };
    },
    async stopRun(userId, runId) {
      return of(userId).stopRun(runId);
    },
    async listRuns(userId, chatId) {
      return of(userId).listRuns(chatId);
    },
    async isPresent(userId) {
      return of(userId).isPresent();
    },
    async connect(userId, sessionId, request) {
      const headers = new Headers(request.headers);
      // Whatever the client sent under this name goes.
      headers.delete(sessionHeader);
      if (sessionId !== null) headers.set(sessionHeader, sessionId);
      const answer = await of(userId).fetch(new Request(request, { headers }));
      if (answer.status !== 101)
        throw new AppError("too_many_requests", "Too many connections of yours are open: close some tabs", {
          retryAfter: 60,
        });
      return answer;
    },
  };
}
