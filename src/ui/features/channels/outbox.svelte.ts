import { v7 as newId } from "uuid";
import type { ChannelMessage } from "../../../channels/schema.ts";
import { type ApiError, toApiError } from "../../lib/api-error.ts";
import { online } from "../../lib/online.svelte.ts";
import type { SentFile } from "../chat/attachments/attachment.ts";
import { channelsApi } from "./channels-api.ts";
import { readOutbox, writeOutbox } from "./stored-outbox.ts";

/** A message that the service has not confirmed. */
export interface Outgoing {
  /** Made here: sent again with it, the message is the same one. */
  tempId: string;
  channelId: string;
  parentId: string | null;
  replyToId: string | null;
  content: string;
  files: readonly SentFile[];
  /** Epoch milliseconds. */
  createdAt: number;
  status: "sending" | "waiting" | "failed";
  error?: ApiError | undefined;
}

type Taken = (message: ChannelMessage, tempId: string) => void;

/** How long to wait when the service is busy and does not say for how long (ms). */
const busyWait = 2000;

/**
 * Messages on their way, kept in this browser until the service has them: closing the tab or losing the connection loses
 * none, and none arrives twice. Those of one channel go one after the other, so that they arrive in the order they were
 * written. One for the app.
 */
class Outbox {
  list = $state.raw<readonly Outgoing[]>([]);
  #person = "";
  #takers = new Set<Taken>();
  #running = new Set<string>();

  /** Goes on with what is left of an earlier visit. Calling it again for the same person does nothing. */
  open(person: string): void {
    if (person === this.#person) return;
    this.#person = person;
    this.list = readOutbox(person);
    for (const channelId of new Set(this.list.map((each) => each.channelId))) void this.#run(channelId);
  }

  /** Hands every confirmed message to `taken`. Returns the way to stop it. */
  onTaken(taken: Taken): () => void {
    this.#takers.add(taken);
    return () => this.#takers.delete(taken);
  }

  /** Those of a channel (`parentId` null) or of a thread, in the order they were written. */
  of(channelId: string, parentId: string | null): Outgoing[] {
    return this.list.filter((each) => each.channelId === channelId && each.parentId === parentId);
  }

  send(message: Omit<Outgoing, "tempId" | "createdAt" | "status">): void {
    this.#set([...this.list, { ...message, tempId: newId(), createdAt: Date.now(), status: "sending" }]);
    void this.#run(message.channelId);
  }

  /** Sends again what was refused. */
  retry(tempId: string): void {
    const found = this.list.find((each) => each.tempId === tempId);
    if (!found) return;
    this.#change(tempId, { status: "sending", error: undefined });
    void this.#run(found.channelId);
  }

  discard(tempId: string): void {
    this.#set(this.list.filter((each) => each.tempId !== tempId));
  }

  async #run(channelId: string): Promise<void> {
    if (this.#running.has(channelId)) return;
    this.#running.add(channelId);
    const person = this.#person;
    for (;;) {
      const next = this.list.find((each) => each.channelId === channelId && each.status !== "failed");
      if (!next || person !== this.#person) break;
      await this.#post(next);
    }
    this.#running.delete(channelId);
  }

  async #post(outgoing: Outgoing): Promise<void> {
    const { tempId, channelId, parentId, replyToId, content, files } = outgoing;
    this.#change(tempId, { status: "sending" });
    try {
      const message = await channelsApi.post(channelId, {
        temp_id: tempId,
        content,
        ...(parentId === null ? {} : { parent_id: parentId }),
        ...(replyToId === null ? {} : { reply_to_id: replyToId }),
        ...(files.length === 0 ? {} : { files: files.map(({ id }) => ({ id })) }),
      });
      for (const taken of this.#takers) taken(message, tempId);
      this.discard(tempId);
    } catch (cause) {
      await this.#wait(tempId, toApiError(cause));
    }
  }

  /** What a later try may mend waits for it; what the service refuses waits for the person. */
  async #wait(tempId: string, error: ApiError): Promise<void> {
    if (error.code === "offline" || error.code === "timeout") {
      this.#change(tempId, { status: "waiting" });
      if (error.code === "timeout") online.failed();
      await online.back();
    } else if (error.status === 429 || error.status === 503) {
      this.#change(tempId, { status: "waiting" });
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfter ?? 0) * 1000 || busyWait));
    } else this.#change(tempId, { status: "failed", error });
  }

  #change(tempId: string, change: Partial<Outgoing>): void {
    this.#set(this.list.map((each) => (each.tempId === tempId ? { ...each, ...change } : each)));
  }

  #set(list: readonly Outgoing[]): void {
    this.list = list;
    writeOutbox(this.#person, list);
  }
}

export const outbox = new Outbox();
