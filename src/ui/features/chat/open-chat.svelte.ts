import { v7 as newId } from "uuid";
import { firstWords } from "../../../shared/chat-title.ts";
import type { LiveEvent } from "../../../shared/live-protocol.ts";
import { type ApiError, toApiError } from "../../lib/api-error.ts";
import { inOrder } from "../../lib/in-order.ts";
import { textField } from "../../lib/live/live-state.ts";
import { type Ended, live } from "../../lib/live/live.svelte.ts";
import { nowSeconds } from "../../lib/now-seconds.ts";
import { online } from "../../lib/online.svelte.ts";
import { readSent, type SentFile } from "./attachments/attachment.ts";
import { chatList } from "./chat-list.svelte.ts";
import { answersOf, chatsApi, runAction, type StoredChat, type Turn, type WantedAnswer } from "./chats-api.ts";
import { columnsOf } from "./compare/columns-of.ts";
import { addEvent } from "./items/merge-items.ts";
import { noItems } from "./items/message-items.ts";
import { mergeHistory } from "./merge-history.ts";
import {
  addMessage,
  changeMessage,
  currentPath,
  emptyHistory,
  type History,
  type Message,
  pathTo,
  removeMessage,
  showBranch,
} from "./message-tree.ts";
import type { OpenChatOptions } from "./open-chat-options.ts";
import { ChatParams } from "./parameters/chat-params.svelte.ts";
import { readEnding } from "./read-ending.ts";
import { closed, readHistory } from "./read-history.ts";
import { stopAnswer } from "./stop-answer.ts";
import { hearAbout, noStored } from "./stored-about.ts";
import { keptChat } from "./temporary/kept-chat.ts";
import { TemporaryChat } from "./temporary/temporary-chat.svelte.ts";
import { tabId, TurnSender } from "./turn-sender.svelte.ts";
import { withText } from "./with-text.ts";

/** The chat in view: its messages, and everything a person can do with it. Live while `attach` is in force. */
export class OpenChat {
  id = $state<string | undefined>(undefined);
  folderId: string | undefined; // Of the chat that the first message makes.
  history = $state.raw<History>(emptyHistory);
  loading = $state(false);
  error = $state.raw<ApiError | undefined>(undefined);
  /** Grows with every turn that this person starts here: the thread then goes to its end. */
  turns = $state(0);
  readonly sender = new TurnSender();
  readonly params = new ChatParams();
  readonly temporary = new TemporaryChat(this, (message, end) => this.#finish(message, { ...end, done: true }));
  readonly path = $derived(currentPath(this.history));
  /** Answers that are being written at the end of the shown branch, also those that stand beside its last one. */
  readonly allRunning = $derived.by(() => {
    const last = this.path.at(-1);
    const shown = last === undefined ? [] : (columnsOf(this.history, last.id)?.map(({ shown: id }) => id) ?? [last.id]);
    return shown.flatMap((id) => {
      const message = this.history.messages[id];
      return message && this.isRunning(message) ? [message] : [];
    });
  });
  readonly running = $derived(this.allRunning[0]);
  /** The model of the last answer on the shown branch. */
  readonly lastModel = $derived(this.path.findLast((message) => message.model)?.model);
  /** The models that the last question went to. */
  readonly lastModels = $derived(
    this.path.findLast(({ role }) => role === "user")?.models ?? (this.lastModel === undefined ? [] : [this.lastModel]),
  );
  /** What the service said last; the list of chats may know it better. */
  #stored = $state.raw(noStored);
  readonly #listed = $derived(this.id === undefined ? undefined : chatList.find(this.id));
  readonly title = $derived(this.#listed?.title || this.#stored.title);
  readonly tags = $derived(this.#listed?.tags ?? this.#stored.tags);
  #loads = 0;
  #startedAt = new Map<string, number>();
  #stopWhenStarted = new Set<string>();
  #settling: ReturnType<typeof setTimeout> | undefined;
  /** What the service is told of the shown branch, and the turns behind it. */
  #inTurn = inOrder();
  #options: OpenChatOptions;

  constructor(options: OpenChatOptions) {
    this.#options = options;
  }

  /** Listens to live events until the returned function is called. */
  attach(): () => void {
    const stops = [
      live.onEvent((event, ended) => this.#hear(event, ended)),
      live.onReload((first) => {
        const isWriting = (message: Message): boolean => message.state === "streaming";
        if (!first || Object.values(this.history.messages).some(isWriting)) void this.reload();
      }),
      live.onQuestion((id) => {
        const message = this.history.messages[id];
        return message && { content: message.content, reasoning: message.reasoning ?? "" };
      }),
    ];
    return () => {
      clearTimeout(this.#settling);
      this.temporary.leave();
      for (const stop of stops) stop();
    };
  }

  isRunning(message: Message): boolean {
    if (live.runs.has(message.id)) return true;
    const status = this.sender.of(message.id)?.status;
    return message.state === "streaming" && status !== "waiting" && status !== "failed";
  }

  /** Shows another chat, or an empty one for `undefined`. */
  open(id: string | undefined): void {
    if (id === this.id && this.temporary.id === undefined && (id !== undefined || this.history === emptyHistory))
      return;
    this.#show(id);
    if (id !== undefined) void this.reload();
  }

  /** Shows the temporary conversation that was left last, or an empty one. */
  openTemporary(): void {
    if (this.temporary.id !== undefined) return;
    this.#show(undefined);
    const left = this.temporary.open();
    if (!left) return;
    this.history = left.history;
    this.params.values = left.params;
  }

  /** Throws the temporary conversation away and begins another one. */
  discard(): void {
    this.history = emptyHistory;
    this.#show(undefined);
    this.temporary.open();
  }

  /** Stores the temporary conversation. @returns the id of its chat */
  async keep(): Promise<string> {
    const question = this.path.find(({ role }) => role === "user")?.content ?? "";
    const stored = await chatsApi.create(keptChat(firstWords(question), this.history, this.params.values));
    chatList.touch(stored.id, stored.title);
    this.history = emptyHistory;
    return stored.id;
  }

  #show(id: string | undefined): void {
    this.temporary.leave();
    this.id = id;
    this.params.open(id);
    this.#stored = noStored;
    this.history = emptyHistory;
    this.sender.outgoing = {};
    this.#inTurn = inOrder();
    this.error = undefined;
    this.loading = false;
    this.#loads += 1;
  }

  /** Loads the chat again and joins it with what is shown. Never rejects. */
  async reload(): Promise<void> {
    const { id } = this;
    if (id === undefined) return;
    const load = ++this.#loads;
    this.loading = true;
    try {
      const stored = await chatsApi.get(id);
      if (load === this.#loads) this.#take(stored);
    } catch (cause) {
      if (load !== this.#loads) return;
      const error = toApiError(cause);
      // What is on screen stays on screen; only a chat that never arrived, or is gone, shows the failure.
      if (this.history === emptyHistory || error.status === 404) this.error = error;
      if (error.code === "offline") void online.back().then(() => (load === this.#loads ? this.reload() : undefined));
    }
    if (load === this.#loads) this.loading = false;
  }

  /** Sends a message at the end of the shown branch, as far as the service knows that branch. @param kept as in `#ask` */
  send(content: string, models: readonly string[], files: readonly SentFile[] = [], kept?: readonly string[]): void {
    const { unsent } = this.sender;
    this.#ask(content, models, this.path.findLast((message) => !unsent.has(message.id))?.id ?? null, files, kept);
  }

  /** Sends another version of a message of the person, with the same files; the old one stays as a branch. */
  edit(message: Message, content: string, models: readonly string[]): void {
    const { turnModel, models: kept, items } = message;
    this.#ask(content, turnModel ? [turnModel] : models, message.parentId, readSent(items?.files), turnModel && kept);
  }

  /** Asks for an answer to a message that the chat has: a first one, or another version. */
  answer(questionId: string | null, model: string): void {
    const answerId = newId();
    this.#addAnswer(answerId, questionId, model);
    void this.#start({ chatId: this.id, model, answerId, parentId: questionId });
  }

  /** Lets an answer that was stopped or broke off go on from where it is. */
  goOn(answer: Message, model: string): void {
    this.history = changeMessage(this.history, answer.id, {
      state: "streaming",
      done: false,
      error: null,
      finishReason: undefined,
    });
    this.#startedAt.set(answer.id, Date.now());
    this.turns += 1;
    void this.#start({ chatId: this.id, model, answerId: answer.id, parentId: answer.parentId, goOn: true });
  }

  /** Sends a turn again that did not get through, with the same ids. */
  resend(answerId: string): void {
    const outgoing = this.sender.of(answerId);
    if (outgoing?.status === "failed") void this.#start(outgoing.turn);
  }

  /** Takes back a turn that did not get through and returns the text of its message, and what was attached to it. */
  takeBack(answerId: string): { text: string; files: readonly SentFile[] } {
    const turn = this.sender.forget(this.sender.of(answerId)?.turn.answerId ?? answerId)?.turn;
    this.history = removeMessage(this.history, turn?.userMessage?.id ?? answerId);
    return { text: turn?.userMessage?.content ?? "", files: turn?.userMessage?.files ?? [] };
  }

  /** Stops the answers at the end of the shown branch, or one of them. Rejects when the service could not be told. */
  async stop(answers: readonly Message[] = this.allRunning): Promise<void> {
    await Promise.all(
      answers.map(async ({ id }) => {
        if (this.temporary.id !== undefined) this.temporary.stop(id);
        else if (this.sender.of(id)?.status === "sending") this.#stopWhenStarted.add(id);
        else await stopAnswer(id, this.id);
      }),
    );
  }

  /** Shows the branch through another version of a message, here and in the next visit. */
  showVersion(id: string): void {
    this.history = showBranch(this.history, id);
    const { id: chatId } = this;
    const { currentId } = this.history;
    if (chatId === undefined || currentId === null) return;
    this.#inTurn(() => chatsApi.showBranch(chatId, currentId)).catch(() => undefined);
  }

  /** Deletes a message and everything below it. */
  async remove(message: Message): Promise<void> {
    if (this.id !== undefined) await chatsApi.removeMessage(this.id, message.id);
    else if (this.temporary.id === undefined) return;
    this.history = removeMessage(this.history, message.id);
  }

  /** Lets a plugin's action work on an answer. Rejects when it failed. */
  async runAction(message: Message, actionId: string): Promise<void> {
    if (this.id === undefined) return;
    const { id: chatId } = this;
    await runAction({ actionId, chatId, message, path: pathTo(this.history, message.id), sessionId: tabId });
    // What it changed has been told by events; what it made of the message has the last word.
    if (this.id === chatId) await this.reload();
  }

  /** @param kept the models of the chat, where another one answers this question only */
  #ask(
    content: string,
    models: readonly string[],
    parentId: string | null,
    files: readonly SentFile[],
    kept?: readonly string[] | "",
  ): void {
    const asked = kept ? { models: kept, turnModel: models[0]! } : models.length > 1 ? { models } : {};
    const question = { id: newId(), parentId, content, ...asked };
    const userMessage = { ...question, ...(files.length > 0 ? { files } : {}) };
    const [first, ...beside] = models.map((model): WantedAnswer => ({ model, answerId: newId() }));
    if (!first) return;
    const items = files.length > 0 ? { items: { ...noItems, files } } : {};
    const sent = { ...question, ...items, timestamp: nowSeconds() };
    this.history = addMessage(this.history, { ...sent, role: "user", state: "done" });
    // The first one last: the one that was added last is shown.
    for (const { model, answerId } of [...beside, first]) this.#addAnswer(answerId, userMessage.id, model);
    if (this.id !== undefined) chatList.touch(this.id, this.title);
    else this.#stored = { title: firstWords(content), tags: [] };
    void this.#start({
      chatId: this.id,
      ...first,
      ...(beside.length > 0 ? { beside } : {}),
      parentId: this.id === undefined ? null : userMessage.id,
      userMessage,
      ...(this.id === undefined ? { params: this.params.values, folderId: this.folderId } : {}),
    });
  }

  #addAnswer(id: string, parentId: string | null, model: string): void {
    this.history = addMessage(this.history, {
      id,
      parentId,
      role: "assistant",
      content: "",
      timestamp: nowSeconds(),
      model,
      state: "streaming",
    });
    this.#startedAt.set(id, Date.now());
    this.turns += 1;
  }

  async #start(wanted: Turn): Promise<void> {
    const turn = { ...this.#options.chosen(wanted), ...wanted };
    if (this.temporary.id !== undefined) {
      this.#options.onTaken(turn);
      return this.temporary.start(turn);
    }
    this.sender.begin(turn);
    // A branch that is told after the turn would hide the turn.
    await Promise.all([this.params.save(), this.#inTurn(() => Promise.resolve())]);
    // A copy of the chat that is on its way may have been read before the turn was stored: it would take the turn away.
    const chatId = await this.sender.send(turn, () => void (this.loading && this.reload()));
    if (chatId === undefined) return;
    this.#options.onTaken(turn);
    const isShown = this.history.messages[turn.answerId] !== undefined;
    chatList.touch(chatId, isShown ? this.title : "", turn.folderId);
    if (!isShown) return;
    if (this.id === undefined) {
      this.id = chatId;
      this.params.becomes(chatId, turn.params);
      this.#options.onCreated(chatId);
    }
    for (const { answerId } of answersOf(turn)) {
      setTimeout(() => this.#lookAgain(answerId), 2000);
      if (this.#stopWhenStarted.delete(answerId)) await stopAnswer(answerId, this.id).catch(() => undefined);
    }
  }

  /** A turn that was sent twice may have ended unheard between the two: then the stored answer is all there is. */
  #lookAgain(answerId: string): void {
    const isSilent = this.history.messages[answerId]?.state === "streaming" && !live.runs.has(answerId);
    if (isSilent && live.connected) void this.reload();
  }

  #take(stored: StoredChat): void {
    const isRunning = (id: string): boolean => live.runs.has(id);
    this.history = mergeHistory(this.history, readHistory(stored.chat.history), {
      unsent: this.sender.unsent,
      isRunning,
    });
    this.#stored = { title: stored.title, tags: stored.chat.tags ?? [] };
    this.params.take(stored.chat.params);
    this.error = undefined;
    chatList.take(stored);
    // A run that this tab heard only from its middle on (an answer continued elsewhere): ask for all of its text.
    for (const message of Object.values(this.history.messages)) {
      const run = live.runs.get(message.id);
      const shared = run ? Math.min(run.content.length, message.content.length) : 0;
      if (run && run.content.slice(0, shared) !== message.content.slice(0, shared)) return live.refresh();
    }
  }

  #hear(event: LiveEvent, ended: Ended): void {
    const { chat_id: chatId, message_id: id } = event;
    const message = id === undefined ? undefined : this.history.messages[id];
    // A quick answer can end before the service has told the id of the chat it made.
    if (chatId === undefined || (chatId !== this.id && !(this.id === undefined && message))) return;
    this.#stored = hearAbout(this.#stored, event.data);
    if (id === undefined) {
      // Something about this chat has changed: renamed, messages deleted, the chat itself deleted.
      if (event.data.type === "chat:list") void this.reload();
      return;
    }
    if (!message) {
      // Another tab or a plugin has added a message.
      if (!this.loading) void this.reload();
      return;
    }
    const ending = readEnding(event, ended.run);
    if (ending) this.#finish(message, ending);
    else if (event.data.type === "chat:outlet") void this.reload();
    else {
      const items = addEvent(message.items, event);
      if (items !== (message.items ?? noItems)) this.history = changeMessage(this.history, id, { items });
      if (event.run_id === undefined && !live.runs.has(id))
        this.#change(message, event.data.type, textField(event.data.data, "content"));
    }
  }

  #finish(before: Message, ending: Partial<Message>): void {
    const started = this.#startedAt.get(before.id);
    const duration = started === undefined ? {} : { duration: (Date.now() - started) / 1000 };
    this.#startedAt.delete(before.id);
    const items = before.items ? { items: closed(before.items) } : {};
    this.history = changeMessage(this.history, before.id, { ...duration, ...items, ...ending });
    const message = this.history.messages[before.id];
    if (message && before.state === "streaming") this.#options.onEnded(message);
  }

  /** Text that plugins send to a message that no run writes to. Shown at once; what the service made of it has the last word. */
  #change(message: Message, type: string, content: string): void {
    const changed = withText(this.history, message, type, content);
    if (!changed) return;
    this.history = changed;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => void this.reload(), 1000);
  }
}
