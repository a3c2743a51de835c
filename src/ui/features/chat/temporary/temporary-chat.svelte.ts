import { v7 as newId } from "uuid";
import { session } from "../../../lib/session.svelte.ts";
import { answersOf, type Turn } from "../chats-api.ts";
import { changeMessage, emptyHistory, type History, type Message } from "../message-tree.ts";
import type { Params } from "../parameters/chat-params.svelte.ts";
import { requestOf } from "./request-of.ts";
import { type RunEnd, TemporaryRuns } from "./temporary-runs.ts";

/** A temporary conversation that the person has gone away from, for Back: it lives as long as the page is loaded. */
interface LeftChat {
  id: string;
  history: History;
  params: Params;
}

/** The chat in view, whose messages are kept there. */
interface ViewedChat {
  history: History;
  readonly params: { readonly values: Params };
}

let left: LeftChat | undefined;

/** Nothing of the chat is known to the service, so it is told that the person's own instructions count. */
function paramsOf(values: Params): Params {
  return session.may("chat", "system_prompt") ? { personal_instructions: true, ...values } : values;
}

/** What is different about a chat of which nothing is kept: its answers come over plain HTTP, and end with the page. */
export class TemporaryChat {
  /** Known here only; undefined while the chat in view is none of this kind. */
  id = $state<string | undefined>(undefined);
  readonly #chat: ViewedChat;
  readonly #onEnded: (message: Message, end: RunEnd) => void;
  readonly #runs = new TemporaryRuns();

  constructor(chat: ViewedChat, onEnded: (message: Message, end: RunEnd) => void) {
    this.#chat = chat;
    this.#onEnded = onEnded;
  }

  /** The chat in view is one now. @returns the conversation that was left last, if there is one */
  open(): LeftChat | undefined {
    const taken = left;
    left = undefined;
    this.id = taken?.id ?? `temporary:${newId()}`;
    return taken;
  }

  /** The chat in view is none any more. Its conversation can be found again with Back; what is under way is stopped. */
  leave(): void {
    const { id } = this;
    if (id === undefined) return;
    this.#runs.stopAll();
    this.id = undefined;
    const { history, params } = this.#chat;
    if (history !== emptyHistory) left = { id, history: stopped(history), params: params.values };
  }

  /** Asks for the answers of a turn, whose messages are in the history. */
  start(turn: Turn): void {
    const { id } = this;
    if (id === undefined) return;
    for (const wanted of answersOf(turn)) {
      const { answerId } = wanted;
      const body = requestOf(this.#chat.history, turn, wanted, { id, params: paramsOf(this.#chat.params.values) });
      void this.#runs.start(answerId, body, {
        more: (content, reasoning) => this.#add(answerId, content, reasoning),
        ended: (end) => {
          const message = this.#chat.history.messages[answerId];
          if (message) this.#onEnded(message, end);
        },
      });
    }
  }

  stop(answerId: string): void {
    this.#runs.stop(answerId);
  }

  #add(answerId: string, content: string, reasoning: string): void {
    const { history } = this.#chat;
    const message = history.messages[answerId];
    if (message)
      this.#chat.history = changeMessage(history, answerId, {
        content: message.content + content,
        reasoning: (message.reasoning ?? "") + reasoning,
      });
  }
}

function stopped(history: History): History {
  const messages = Object.entries(history.messages).map(([id, message]) => [
    id,
    message.state === "streaming" ? { ...message, state: "stopped", done: true } : message,
  ]);
  return { ...history, messages: Object.fromEntries(messages) as History["messages"] };
}
