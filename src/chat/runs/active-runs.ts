import type { Services } from "../../context.ts";
import type { EndableItem } from "../../events/rights-checker.ts";
import type { Effect, Session } from "../../events/session.ts";
import { consoleLog } from "../../lib/log.ts";
import type { RunStart } from "../../ports.ts";
import { AnswerText } from "../answer-text.ts";
import { interruptAnswer, interruptedEvent } from "../conversations/interrupt-answer.ts";
import type { AnswerPlace } from "../conversations/write-answer.ts";
import { endEvents } from "../end-events.ts";
import { runTurn, type StopReason } from "../run-turn.ts";

/** The data needed to end a run after its process has died. */
export interface StoredRun extends AnswerPlace {
  userId: string;
}

/** Storage of active runs that outlives the process: runs found here at the start have lost their process. */
export interface StoredRuns {
  add(run: StoredRun): void;
  remove(runId: string): void;
  list(): StoredRun[];
}

const maxRuns = 20;
/** Finished runs that are remembered, so that a start that comes late starts nothing. */
const maxFinished = 200;

export interface ActiveRun {
  start: RunStart;
  text: AnswerText;
  abort: AbortController;
  /** Resolves when the answer has ended and is stored. */
  ended: Promise<void>;
}

export interface ActiveRunsOptions {
  session: Session;
  stored: StoredRuns;
  apply(effects: readonly Effect[]): void;
  services(userId: string): Services;
  /** The object must not be put away until the returned function is called. */
  hold(): () => void;
  opened(userId: string): void;
  closed(userId: string): void;
  /** Resolves when the events that have come for the chat are stored. */
  settled(chatId: string): Promise<void>;
}

/** The runs of one person: they outlive the tabs that started them, and are ended if they were lost. */
export class ActiveRuns {
  readonly #options: ActiveRunsOptions;
  readonly #runs = new Map<string, ActiveRun>();
  /** Run ids by message. */
  readonly #finished = new Map<string, string>();

  constructor(options: ActiveRunsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#runs.size;
  }

  list(chatId?: string): { runId: string; chatId: string; messageId: string }[] {
    return [...this.#runs.values()]
      .map(({ start }) => ({ runId: start.runId, chatId: start.chatId, messageId: start.messageId }))
      .filter((run) => chatId === undefined || run.chatId === chatId);
  }

  get(runId: string): ActiveRun | undefined {
    return this.#runs.get(runId);
  }

  /** The run that writes a message. */
  writing(message: { chatId: string; messageId: string | undefined }): ActiveRun | undefined {
    return [...this.#runs.values()].find(({ start }) => messageKey(start) === messageKey(message));
  }

  /** Shows at once what is still being gathered: who looks now sees all that has been written. */
  flush(): void {
    for (const { text } of this.#runs.values()) text.flush();
  }

  /** The runs that may have to end when rights change. */
  endable(): EndableItem[] {
    return [...this.#runs.values()].map(({ start, abort }) => ({
      credential: start.credential,
      model: start.model,
      end: () => abort.abort("revoked" satisfies StopReason),
    }));
  }

  /** Starts the run; a message that a run writes, or has written, is not written again. */
  start(start: RunStart): { runId: string; chatId: string } | "too_many" {
    const writing = this.writing(start);
    const known = writing?.start.runId ?? this.#finished.get(messageKey(start));
    // A message that is answered again gets a run of its own; the old one can no longer write it.
    if (known !== undefined && (writing || known === start.runId)) return { runId: known, chatId: start.chatId };
    if (this.#runs.size >= maxRuns) return "too_many";
    this.#options.stored.add(entryOf(start));
    this.#run(start);
    return { runId: start.runId, chatId: start.chatId };
  }

  #run(start: RunStart): void {
    const { session, apply, services, stored: ledger, hold } = this.#options;
    const { runId, chatId, messageId, model, credential } = start;
    const abort = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const text = new AnswerText(start.continueFrom, {
      delta: (delta) => apply(session.addText(runId, delta)),
      replaced: (content) => apply(session.replaceText(runId, content)),
      ending: () => this.#options.settled(chatId),
    });
    this.#runs.set(runId, { start, text, abort, ended });
    this.#options.opened(credential.userId);
    apply(
      session.startRun({
        run_id: runId,
        chat_id: chatId,
        message_id: messageId,
        model,
        ...start.continueFrom,
        started_at: Math.floor(Date.now() / 1000),
      }),
    );
    const release = hold();
    const observer = {
      ended: (end: Parameters<typeof endEvents>[0]) => {
        this.#runs.delete(runId);
        this.#options.closed(credential.userId);
        this.#remember(start);
        ledger.remove(runId);
        apply(session.endRun(runId, endEvents(end)));
        resolve();
      },
    };
    void runTurn(services(credential.userId), start, text, observer, abort).finally(release);
  }

  /**
   * Ends the runs that died with an earlier life of this object. Those of this life are not in question.
   * @returns whether some could not be ended yet
   */
  async recover(): Promise<boolean> {
    const { session, stored: ledger, apply, services } = this.#options;
    let isLeft = false;
    for (const entry of ledger.list().filter(({ runId }) => !this.#runs.has(runId))) {
      try {
        const interrupted = await interruptAnswer(services(entry.userId), entry);
        ledger.remove(entry.runId);
        if (interrupted) apply(session.publish(interruptedEvent(interrupted)));
      } catch (error) {
        isLeft = true;
        consoleLog.warn("could not end a lost run yet", { run_id: entry.runId, error });
      }
    }
    return isLeft;
  }

  #remember(start: RunStart): void {
    this.#finished.set(messageKey(start), start.runId);
    const [oldest] = this.#finished.keys();
    if (this.#finished.size > maxFinished && oldest !== undefined) this.#finished.delete(oldest);
  }
}

function messageKey({ chatId, messageId }: { chatId: string; messageId: string | undefined }): string {
  return `${chatId} ${messageId}`;
}

function entryOf(start: RunStart): StoredRun {
  return { runId: start.runId, userId: start.credential.userId, chatId: start.chatId, messageId: start.messageId };
}
