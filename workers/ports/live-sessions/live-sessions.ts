import { AppError } from "../../../src/errors.ts";
import { valueOf } from "../../../src/events/answers.ts";
import { newQuestion } from "../../../src/events/open-questions.ts";
import { consoleLog } from "../../../src/lib/log.ts";
import type { LiveSessions } from "../../../src/ports.ts";
import { linkHeader } from "../../channels/outgoing-link.ts";
import type { Env } from "../../env.ts";
import { questionHeader, askOverSocket } from "./ask-over-socket.ts";
import { followedHeader, followOverSocket } from "./follow-over-socket.ts";

/** The header in which the Worker passes a socket's credential to the object, as JSON. */
export const credentialHeader = "x-parley-credential";
/** The same for what the socket may do. */
export const rightsHeader = "x-parley-rights";
/** Body of an object's 429 when too many accounts that wait for approval are connected. */
export const pendingFull = "pending";

/** Coordinators that are told at the same time to look again. */
const maxRechecks = 16;

/**
 * How long after a change a completion that was let in before it may still begin to be followed, with time for a look;
 * milliseconds.
 */
const settlingMs = 100;
/** So many are woken without a look at who of them has anything open. */
const maxWokenUnseen = 20;
/** People in one question to the directory. */
const maxPerRequest = 1000;

/** Those of the people who have to be told; all of them where the directory does not answer. */
async function openAmong(env: Pick<Env, "OPEN_DIRECTORY">, userIds: string[]): Promise<string[]> {
  if (userIds.length <= maxWokenUnseen) return userIds;
  const open: string[] = [];
  for (let at = 0; at < userIds.length; at += maxPerRequest) {
    const some = userIds.slice(at, at + maxPerRequest);
    try {
      open.push(...(await env.OPEN_DIRECTORY.getByName("directory").among(some)));
    } catch (error) {
      consoleLog.warn("the directory of open connections does not respond", { error });
      open.push(...some);
    }
  }
  return open;
}

/** The session coordinators, one object per person, as the port for verbs. */
export function createLiveSessions(env: Pick<Env, "SESSION_COORDINATOR" | "OPEN_DIRECTORY">): LiveSessions {
  const of = (userId: string) => env.SESSION_COORDINATOR.getByName(userId);
  return {
    async publish(userId, event) {
      try {
        await of(userId).publish(event);
      } catch (error) {
        consoleLog.warn("could not notify tabs", { user_id: userId, type: event.data.type, error });
      }
    },
    async emit(userId, place, event) {
      return of(userId).emit(userId, place, event);
    },
    async revoke(userId, reason, credentialId) {
      await of(userId).revoke(reason, credentialId);
    },
    async recheck(userIds) {
      const left = await openAmong(env, [...new Set(userIds)]);
      const recheckNext = async (): Promise<void> => {
        for (let userId = left.pop(); userId !== undefined; userId = left.pop()) {
          try {
            await of(userId).recheck(userId);
          } catch (error) {
            consoleLog.warn("open connections could not recheck their permissions", { user_id: userId, error });
          }
        }
      };
      const settled = new Promise((resolve) => setTimeout(resolve, settlingMs));
      await Promise.all(Array.from({ length: Math.min(maxRechecks, left.length) }, recheckNext));
      await settled;
    },
    async ask(userId, event, { timeoutMs, signal }) {
      return valueOf(await askOverSocket(() => of(userId), newQuestion(event, timeoutMs), signal));
    },
    async answer(userId, questionId, answer) {
      return of(userId).answer(questionId, answer);
    },
    async listQuestions(userId) {
      return of(userId).listQuestions();
    },
    async startRun(start) {
      const started = await of(start.credential.userId).startRun(start);
      if (started === "too_many")
        throw new AppError("too_many_requests", "You have too many running answers: stop one, or wait", {
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
    async receive(credential, tab, frame) {
      return of(credential.userId).receive(credential.id, tab, frame);
    },
    followRights: (followed, onRefused) => followOverSocket(() => of(followed.credential.userId), followed, onRefused),
    async connect(credential, request, rights) {
      const headers = new Headers(request.headers);
      // Whatever the client sent under these names goes.
      headers.delete(followedHeader);
      headers.delete(questionHeader);
      headers.delete(linkHeader);
      headers.set(credentialHeader, JSON.stringify(credential));
      headers.set(rightsHeader, JSON.stringify(rights));
      const answer = await of(credential.userId).fetch(new Request(request, { headers }));
      if (answer.status === 101) return answer;
      const message =
        (await answer.text()) === pendingFull
          ? "Too many accounts that wait for approval are connected: try again later"
          : "You have too many open connections: close some tabs";
      throw new AppError("too_many_requests", message, { retryAfter: 60 });
    },
  };
}
