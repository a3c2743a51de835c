import type { ApiError } from "../../../lib/api-error.ts";
import type { FileState } from "../../../lib/files/file-state.ts";
import { isRecord, textField } from "../../../lib/live/live-state.ts";

/** What goes with a message, as it is sent and stored (`files` of the message). */
export interface SentFile {
  type: "file" | "collection";
  id: string;
  name: string;
  content_type?: string;
  /** Bytes. */
  size?: number;
}

/** Something that the person has put beside the message that is being written. */
export interface Attachment {
  /** Names it within this tab. */
  key: string;
  kind: SentFile["type"];
  /** Undefined while it is not uploaded. */
  id: string | undefined;
  name: string;
  contentType: string;
  size: number | undefined;
  /** `done` also for what was there before. `waiting`: for its turn; `offline`: for the connection. */
  upload: "waiting" | "sending" | "offline" | "failed" | "done";
  /** Bytes of it that have left. */
  sent: number;
  error: ApiError | undefined;
  /** How far it is read; undefined while nobody has said. */
  state: FileState | undefined;
  /** It was uploaded for this message, so that taking it away deletes it. */
  isOwn: boolean;
  /** Address of a picture that was chosen in this tab, for as long as it is attached. */
  preview?: string;
}

/** As it goes with the message; undefined while it is not uploaded. */
export function toSent(attachment: Attachment): SentFile | undefined {
  const { kind, id, name, contentType, size } = attachment;
  if (id === undefined) return undefined;
  return {
    type: kind,
    id,
    name,
    ...(contentType ? { content_type: contentType } : {}),
    ...(size === undefined ? {} : { size }),
  };
}

/** What a message that was sent, or a stored draft, holds. */
export function fromSent(sent: SentFile, key: string, isOwn = false): Attachment {
  return {
    key,
    kind: sent.type,
    id: sent.id,
    name: sent.name,
    contentType: sent.content_type ?? "",
    size: sent.size,
    upload: "done",
    sent: 0,
    error: undefined,
    state: undefined,
    isOwn,
  };
}

/** Reads `files` of a message; entries that are neither a file nor a base of this service are left out. */
export function readSent(raw: unknown): SentFile[] {
  return (Array.isArray(raw) ? raw : []).flatMap((item): SentFile[] => {
    const id = textField(item, "id");
    if (!isRecord(item) || !id || (item["type"] !== "file" && item["type"] !== "collection")) return [];
    const contentType = textField(item, "content_type");
    const { size } = item;
    return [
      {
        type: item["type"],
        id,
        name: textField(item, "name") || id,
        ...(contentType ? { content_type: contentType } : {}),
        ...(typeof size === "number" ? { size } : {}),
      },
    ];
  });
}
