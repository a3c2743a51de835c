import { v7 as newId } from "uuid";
import { ApiError, toApiError } from "../../../lib/api-error.ts";
import { type FileState, readFileState } from "../../../lib/files/file-state.ts";
import { filesApi } from "../../../lib/files/files-api.ts";
import { refuseFile } from "../../../lib/files/refuse-file.ts";
import { uploadFile } from "../../../lib/files/upload-file.ts";
import { textField } from "../../../lib/live/live-state.ts";
import { live } from "../../../lib/live/live.svelte.ts";
import { online } from "../../../lib/online.svelte.ts";
import { session } from "../../../lib/session.svelte.ts";
import { toasts } from "../../../lib/toasts.svelte.ts";
import { isPicture } from "../sees-pictures.ts";
import { texts } from "../texts.ts";
import { type Attachment, fromSent, type SentFile, toSent } from "./attachment.ts";
import { readAttachments, writeAttachments } from "./stored-attachments.ts";

/** Uploads that run at the same time; more only make each other slow. */
const atOnce = 3;
/** Milliseconds between two looks at files that are being read, for what the live connection did not bring. */
const lookAgain = 5000;

/**
 * What is attached to the messages being written, for every chat: uploads go on while the person looks at another chat. One
 * for each place on the page where messages are written.
 */
export class Attachments {
  /** By id of the chat; `new` for the one that does not exist yet. */
  #all = $state.raw<Readonly<Record<string, readonly Attachment[]>>>({});
  #chat = $state("new");
  #person = "";
  #files = new Map<string, File>();
  /** Addresses of pages that the service is to fetch. */
  #pages = new Map<string, string>();
  #stops = new Map<string, AbortController>();
  #running = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Those of the chat in view. */
  readonly list = $derived(this.#all[this.#chat] ?? []);
  /** Some are still on their way to the service. */
  readonly uploading = $derived(this.list.some(({ upload }) => upload !== "done" && upload !== "failed"));
  /** Some did not get there. */
  readonly failed = $derived(this.list.some(({ upload }) => upload === "failed"));

  /** Shows those of another chat; undefined for a new one. */
  open(person: string, chatId: string | undefined): void {
    if (person !== this.#person) {
      for (const stop of this.#stops.values()) stop.abort();
      this.#all = {};
      this.#person = person;
    }
    this.#chat = chatId ?? "new";
    if (this.#all[this.#chat]) return;
    const stored = readAttachments(person, chatId);
    this.#set(
      this.#chat,
      stored.map(({ own, ...sent }) => fromSent(sent, newId(), own === true)),
    );
    this.#watch();
    void this.#look();
  }

  /** The new chat has got an id: what is attached there now belongs to it. */
  becomes(chatId: string): void {
    const { new: moved = [], ...rest } = this.#all;
    this.#all = { ...rest, [chatId]: [...(rest[chatId] ?? []), ...moved] };
    if (this.#chat === "new") this.#chat = chatId;
    writeAttachments(this.#person, undefined, []);
    this.#keep(chatId);
  }

  /** Attaches files and begins to upload them. What may not be uploaded is said and left out. */
  add(files: readonly File[]): void {
    const limits = session.config.file;
    const refused: string[] = [];
    const added: Attachment[] = [];
    for (const file of files) {
      const reason =
        limits && this.list.length + added.length >= limits.max_count
          ? texts.attach.tooMany(limits.max_count)
          : refuseFile(file, limits);
      if (reason !== undefined) {
        refused.push(reason);
        continue;
      }
      const key = newId();
      this.#files.set(key, file);
      added.push({
        ...fromSent({ type: "file", id: "", name: file.name, content_type: file.type, size: file.size }, key, true),
        id: undefined,
        upload: "waiting",
        ...(isPicture(file.type) ? { preview: URL.createObjectURL(file) } : {}),
      });
    }
    // Many of one kind of reason would cover the page.
    for (const reason of [...new Set(refused)].slice(0, 3)) toasts.show(reason, { kind: "danger" });
    this.#set(this.#chat, [...this.list, ...added]);
    this.#next();
  }

  /** Attaches a page of the web, which the service fetches and reads. */
  addPage(address: string): void {
    const key = newId();
    this.#pages.set(key, address);
    const page = fromSent({ type: "file", id: "", name: address, content_type: "text/html" }, key, true);
    this.#set(this.#chat, [...this.list, { ...page, id: undefined, upload: "waiting" }]);
    this.#next();
  }

  /** Attaches a base or a file that is there already; one that is attached is not attached again. */
  choose(sent: SentFile): void {
    if (this.list.some(({ id, kind }) => id === sent.id && kind === sent.type)) return;
    this.#set(this.#chat, [...this.list, fromSent(sent, newId())]);
    this.#keep(this.#chat);
    void this.#look();
  }

  /** Puts back what was attached to a message that was not sent. */
  putBack(sent: readonly SentFile[]): void {
    for (const one of sent) this.choose(one);
  }

  /** Takes one away. What was uploaded for this message only is deleted. */
  remove(key: string): void {
    const found = this.#find(key);
    if (!found) return;
    const { id, isOwn } = found.attachment;
    // Where another tab has sent it meanwhile, it is not there any more.
    const stored = readAttachments(this.#person, found.chat === "new" ? undefined : found.chat);
    const isUnsent = stored.some((each) => each.id === id);
    this.#stops.get(key)?.abort();
    this.#files.delete(key);
    this.#pages.delete(key);
    forget(found.attachment);
    this.#set(
      found.chat,
      (this.#all[found.chat] ?? []).filter((each) => each.key !== key),
    );
    this.#keep(found.chat);
    for (const go of this.#ended.splice(0)) go();
    if (isOwn && isUnsent && id !== undefined) void filesApi.remove(id).catch(() => undefined);
  }

  /** Uploads again what failed, or has the service read again what it could not. */
  async retry(key: string): Promise<void> {
    const attachment = this.#find(key)?.attachment;
    if (!attachment) return;
    if (attachment.upload === "failed") {
      this.#change(key, { upload: "waiting", error: undefined, sent: 0 });
      this.#next();
      return;
    }
    if (attachment.id === undefined) return;
    try {
      this.#hear(attachment.id, (await filesApi.process(attachment.id)).state);
    } catch (cause) {
      toasts.show(toApiError(cause).message || texts.attach.retryFailed, { kind: "danger" });
    }
  }

  /** Takes all of them for a message that is sent now. */
  take(): SentFile[] {
    const taken = this.list.flatMap((attachment) => toSent(attachment) ?? []);
    for (const attachment of this.list) if (attachment.id !== undefined) forget(attachment);
    this.#set(
      this.#chat,
      this.list.filter((attachment) => attachment.id === undefined),
    );
    return taken;
  }

  /** Keeps what is attached, and what is on its way with messages that the service does not have. */
  keep(onTheWay: readonly SentFile[]): void {
    this.#keep(this.#chat, onTheWay);
  }

  /** Resolves when nothing of the chat in view is on its way any more, or when the signal ends the wait. */
  async uploaded(signal: AbortSignal): Promise<void> {
    const chat = this.#chat;
    const isUnderWay = (): boolean =>
      (this.#all[chat] ?? []).some(({ upload }) => upload !== "done" && upload !== "failed");
    while (isUnderWay() && !signal.aborted)
      await new Promise<void>((resolve) => {
        this.#ended.push(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
  }
  #ended: (() => void)[] = [];

  /** Listens to what the service says of files until the returned function is called. */
  attach(): () => void {
    const warn = (event: BeforeUnloadEvent): void => {
      if (this.#running > 0) event.preventDefault();
    };
    addEventListener("beforeunload", warn);
    const stops = [
      live.onEvent(({ data }) => {
        if (data.type === "file:status") this.#hear(textField(data.data, "id"), readFileState(data.data));
      }),
      live.onReload(() => void this.#look()),
    ];
    return () => {
      removeEventListener("beforeunload", warn);
      for (const stop of stops) stop();
    };
  }

  #next(): void {
    for (const list of Object.values(this.#all))
      for (const { key, upload } of list) {
        if (this.#running >= atOnce) return;
        if (upload === "waiting" && !this.#stops.has(key)) void this.#upload(key);
      }
  }

  async #upload(key: string): Promise<void> {
    const file = this.#files.get(key);
    const page = this.#pages.get(key);
    if (!file && page === undefined) return;
    const stop = new AbortController();
    this.#stops.set(key, stop);
    this.#running += 1;
    this.#change(key, { upload: "sending", error: undefined });
    try {
      const stored = file
        ? await this.#send(file, key, stop.signal)
        : await filesApi.fetchPage(page ?? "", stop.signal);
      const found = this.#find(key);
      if (found) {
        const { id, name, contentType, size, state } = stored;
        this.#files.delete(key);
        this.#pages.delete(key);
        this.#change(key, { id, name: name || (file?.name ?? page ?? ""), contentType, size, state, upload: "done" });
        this.#keep(this.#find(key)?.chat ?? found.chat);
        this.#watch();
      } else void filesApi.remove(stored.id).catch(() => undefined);
    } catch (cause) {
      if (!stop.signal.aborted) this.#change(key, { upload: "failed", error: toApiError(cause) });
    }
    this.#stops.delete(key);
    this.#running -= 1;
    for (const go of this.#ended.splice(0)) go();
    this.#next();
  }

  /** An upload that finds no connection begins again by itself, once; then the person decides. */
  async #send(file: File, key: string, signal: AbortSignal) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await uploadFile(file, { signal, onProgress: (sent) => this.#change(key, { sent }) });
      } catch (cause) {
        if (signal.aborted || attempt > 1 || !(cause instanceof ApiError) || cause.code !== "offline") throw cause;
        this.#change(key, { upload: "offline", sent: 0 });
        await online.back();
        signal.throwIfAborted();
        this.#change(key, { upload: "sending" });
      }
    }
  }

  /** What the service says of a file, wherever it is attached. */
  #hear(id: string, state: FileState): void {
    for (const list of Object.values(this.#all))
      for (const attachment of list)
        if (attachment.id === id && attachment.kind === "file") this.#change(attachment.key, { state });
  }

  /** Looks again at what is being read while there is any: events may be missed. */
  #watch(): void {
    this.#timer ??= setInterval(() => {
      if (this.#pending().length > 0) return void this.#look();
      clearInterval(this.#timer);
      this.#timer = undefined;
    }, lookAgain);
  }

  async #look(): Promise<void> {
    const ids = new Set(this.#pending().map(({ id }) => id));
    for (const id of ids) {
      if (id === undefined) continue;
      try {
        this.#hear(id, await filesApi.status(id));
      } catch (cause) {
        // Deleted meanwhile, or no longer shared: it cannot go with a message.
        if (toApiError(cause).status === 404) for (const key of this.#keysOf(id)) this.remove(key);
      }
    }
    if (this.#pending().length > 0) this.#watch();
  }

  #keysOf(id: string): string[] {
    return Object.values(this.#all)
      .flat()
      .filter((each) => each.id === id && each.kind === "file")
      .map(({ key }) => key);
  }

  #pending(): Attachment[] {
    return Object.values(this.#all)
      .flat()
      .filter(
        ({ kind, upload, state }) =>
          kind === "file" && upload === "done" && (state === undefined || state.status === "pending"),
      );
  }

  #find(key: string): { chat: string; attachment: Attachment } | undefined {
    for (const [chat, list] of Object.entries(this.#all)) {
      const attachment = list.find((each) => each.key === key);
      if (attachment) return { chat, attachment };
    }
    return undefined;
  }

  #change(key: string, change: Partial<Attachment>): void {
    const found = this.#find(key);
    if (!found) return;
    const list = this.#all[found.chat] ?? [];
    this.#set(
      found.chat,
      list.map((each) => (each.key === key ? { ...each, ...change } : each)),
    );
  }

  #set(chat: string, list: readonly Attachment[]): void {
    this.#all = { ...this.#all, [chat]: list };
  }

  #keep(chat: string, onTheWay: readonly SentFile[] = []): void {
    const own = new Set((this.#all[chat] ?? []).flatMap(({ id, isOwn }) => (isOwn && id !== undefined ? [id] : [])));
    const sent = (this.#all[chat] ?? []).flatMap((attachment) => toSent(attachment) ?? []);
    writeAttachments(
      this.#person,
      chat === "new" ? undefined : chat,
      [...sent, ...onTheWay].map((one) => (own.has(one.id) ? { ...one, own: true as const } : one)),
    );
  }
}

/** What the browser keeps of a picture for its preview. */
function forget({ preview }: Attachment): void {
  if (preview !== undefined) URL.revokeObjectURL(preview);
}

/** Those of chats. */
export const attachments = new Attachments();
