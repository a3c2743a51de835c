import type { HeldCredential } from "./access.ts";
import type { ChannelEvent } from "./channels/schema.ts";
import type { ToldChannel } from "./channels/tell-channel.ts";
import type { ChatEvent, Emitted, EventPlace } from "./chat/events/chat-event.ts";
import type { AppError } from "./errors.ts";
import type { Answer, Answered } from "./events/answers.ts";
import type { SocketRights } from "./events/socket-note.ts";
import type { JobKind } from "./jobs/tables.ts";
import type { MachineFigures } from "./machine/schema.ts";
import type { ModelKnowledge } from "./models/catalog/catalog-snapshot.ts";
import type { LiveEvent } from "./shared/live-protocol.ts";

/**
 * One JSON document, read as fast as the runtime allows; for the hot path only. Undefined if there is none. One statement answers
 * all who ask at once (src/db/look-up.ts), and each gets what the database says at that moment.
 */
export type Lookup = (statement: { sql: string; args: (string | number | null)[] }) => Promise<string | undefined>;

/** The cost of a new password hash: scrypt's N as a power of two, r and p (RFC 7914, section 2). */
export interface PasswordCost {
  ln: number;
  r: number;
  p: number;
}

/**
 * A hash of 32 bytes by scrypt, away from the thread that serves people: it blocks its own.
 * @throws AppError `passwords_unavailable`
 */
export type Scrypt = (password: Uint8Array, salt: Uint8Array, cost: PasswordCost) => Promise<Uint8Array>;

/**
 * Whether the password fits a hash by bcrypt or argon2 that came from another product; away from the thread that serves people.
 * False for what is no such hash, and for one that takes too much work.
 * @throws AppError `passwords_unavailable`
 */
export type CheckOldHash = (password: Uint8Array, stored: string) => Promise<boolean>;

/**
 * Encrypts secrets that must be used again (AES-GCM with a key ring). `open` throws if the key is gone or the text was
 * changed.
 */
export interface Vault {
  seal(plain: string): Promise<string>;
  open(sealed: string): Promise<string>;
  /** A keyed hash in base64: it tells those who only have the database nothing. Changes with the current key. */
  fingerprint(text: string): Promise<string>;
}

/** Signs and checks the service's own JSON Web Tokens with the key ring. */
export interface TokenSigner {
  /** @param expiresAt epoch seconds, or null for a token without an end. */
  sign(claims: { id: string; jti: string; iat: number }, expiresAt: number | null): Promise<string>;
  /** The claims, or undefined for a token that is not ours, was changed or has ended. */
  verify(token: string): Promise<{ id: string; jti: string } | undefined>;
}

/** The parameters of a turn in a session coordinator; the coordinator loads the caller's permissions again. */
export interface RunStart {
  runId: string;
  /** Whose run it is, and what they started it with. */
  credential: HeldCredential;
  chatId: string;
  messageId: string;
  /** Id of the model, as the caller named it. */
  model: string;
  /** The chat-completions body for the model, messages included. */
  body: Record<string, unknown>;
  /** Instructions of the folders around the chat and of the person, which go before those of the chat, in this order. */
  instructions?: readonly string[];
  /** Where the messages of the body come from the stored chat: the last one of their branch. Undefined: the client sent them. */
  branchEnd?: string;
  /** Text that the answer goes on from, for "continue"; empty otherwise. */
  continueFrom: { content: string; reasoning: string };
  /** What the folder of the chat has searched beside the model's own knowledge. */
  knowledge?: readonly ModelKnowledge[];
  generateTitle: boolean;
  generateTags: boolean;
  /** Whether the person has an address that may have to be told of its end. */
  hasWebhook: boolean;
  origin: string;
  /** Of the request's span; only where traces are on. */
  traceparent?: string;
}

/** A completion that is answered over plain HTTP, with what its caller's permission depends on. */
export interface Followed {
  credential: HeldCredential;
  /** Id of the model, as the caller named it. */
  model: string;
  /** Since when nobody has looked at these rights, epoch milliseconds. */
  since: number;
}

/** People's live sessions: sockets, runs, presence. Implemented by one object per person. */
export interface LiveSessions {
  /** Sends an event to every open tab of the person; never fails the caller. */
  publish(userId: string, event: LiveEvent): Promise<void>;
  /** Ends what one credential (its id) has open, sockets, runs and followed completions alike, or all that the person has open. */
  revoke(userId: string, reason: string, credentialId?: string): Promise<void>;
  /**
   * To be called when the rights of these people have changed in the database, by whatever: all that they have open looks
   * again at who they are now, and ends where that is no longer enough. Resolves when this has happened; never fails the caller.
   */
  recheck(userIds: readonly string[]): Promise<void>;
  /**
   * Stores what is kept of an event and shows it to every open tab of the person, in the order in which events of a chat come.
   * Resolves when it is stored; text for an answer that is being written is in it before this returns.
   */
  emit(userId: string, place: EventPlace, event: ChatEvent): Promise<Emitted>;
  /**
   * Asks the person and waits: the question goes to every tab, also to those that come later, until the first answer.
   * @param event `confirmation`, `input` or `execute`, without `call`
   * @throws AppError `no_client` soon where no tab is open, `call_timeout`, `call_closed` where the run was stopped or the tab could not run the code
   */
  ask(userId: string, event: LiveEvent, options: { timeoutMs: number; signal: AbortSignal }): Promise<unknown>;
  /** Gives the answer from outside a socket. */
  answer(userId: string, questionId: string, answer: Answer): Promise<Answered>;
  /** Questions of the person that wait. */
  listQuestions(userId: string): Promise<LiveEvent[]>;
  /** Starts the run, or finds the one already started for the same message. */
  startRun(start: RunStart): Promise<{ runId: string; chatId: string }>;
  /** Whether there was such a run of this person. */
  stopRun(userId: string, runId: string): Promise<boolean>;
  /** Runs under way, of one chat or all. */
  listRuns(userId: string, chatId?: string): Promise<{ runId: string; chatId: string; messageId: string }[]>;
  /** Whether the person had a visible tab within the last 60 s. */
  isPresent(userId: string): Promise<boolean>;
  /**
   * Watches over the rights of a completion until `end` is called. Costs one call that nobody waits for.
   * @param onRefused called once, when it must not go on
   */
  followRights(followed: Followed, onRefused: (error: AppError) => void): { end(): void };
  /**
   * Hands a WebSocket upgrade over to the person's object.
   * @throws AppError `too_many_requests`
   */
  connect(credential: HeldCredential, request: Request, rights: SocketRights): Promise<Response>;
  /**
   * A frame for a tab of this credential that did not come over its socket.
   * @returns whether there is such a tab
   */
  receive(credential: HeldCredential, tab: string, frame: string): Promise<boolean>;
}

/** The channels' objects, one for each, which notify the members' sessions. */
export interface ChannelBroadcaster {
  /**
   * Shows an event to every open tab of the channel's members, in the order in which events of a channel come here; never
   * fails the caller. Resolves when it was handed over, or some time later where that takes long. Text that a model writes is
   * gathered, and typing is left out where there is too much of it; of an event that could not be shown, tabs load again.
   */
  tell(channel: ToldChannel, event: ChannelEvent): Promise<void>;
}

/** Object storage. Keys are paths below a prefix of their slice. */
export interface Blobs {
  /** Takes the place of what is there. @throws AppError `disk_full` */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Undefined where there is nothing. `size` in bytes, of the whole; `range` in bytes. */
  get(
    key: string,
    range?: { offset: number; length: number },
  ): Promise<{ body: ReadableStream<Uint8Array>; size: number } | undefined>;
  /** Also of what is not there. */
  delete(keys: readonly string[]): Promise<void>;
  /** Begins something that comes in parts: all but the last of one size, of at least 5 MiB. @returns the storage's own id */
  beginParts(key: string): Promise<string>;
  /** @returns the part's mark, for `joinParts`. @throws AppError `disk_full` */
  putPart(key: string, storageId: string, number: number, bytes: Uint8Array): Promise<string>;
  joinParts(key: string, storageId: string, parts: readonly { number: number; etag: string }[]): Promise<void>;
  /** Also of what is complete or unknown. */
  dropParts(key: string, storageId: string): Promise<void>;
}

/** Signals that there is work; the work itself is in the table of jobs. */
export interface JobQueue {
  /** Never fails the caller: the sweeper finds what nobody was told of. @param delaySeconds seconds until then */
  wake(kind: JobKind, delaySeconds?: number): Promise<void>;
}

/** Models of the platform that the service runs on. */
export interface EdgeModels {
  /** Vectors of texts: a list of lists of numbers, or whatever the model gives. Rejects with the platform's own error. */
  embed(model: string, texts: readonly string[]): Promise<unknown>;
}

/** A connection to a mail server, as `connect` of `cloudflare:sockets` gives it. */
export interface MailSocket {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  /** Resolves when the connection stands, encrypted where it is from the beginning; rejects if it does not. */
  readonly opened: Promise<unknown>;
  /** The same connection, encrypted from here on, for one that was opened with `starttls`; its streams must not be locked. */
  startTls(): MailSocket;
  close(): Promise<void>;
}

/** Opens a TCP connection to the mail server that administrators or the environment have set; it may be private. */
export type ConnectMail = (server: { host: string; port: number; security: "tls" | "starttls" | "none" }) => MailSocket;

/** Two outbound fetches. */
export interface Outbound {
  /** For addresses that administrators or the environment configured as connections; they may be private. */
  trusted: typeof fetch;
  /** For every other address: public ones only, unless listed in OUTBOUND_ALLOWED_PRIVATE_HOSTS. */
  guarded: typeof fetch;
}

/** The launcher, on one machine. All reject when it does not answer. */
export interface Machine {
  figures(): Promise<MachineFigures>;
  /** Of the disk of the data folder. */
  freeBytes(): Promise<number>;
  /** Begins a backup, unless one is being made. */
  startBackup(): Promise<void>;
  /** Gives the room of what was deleted back to the disk. @returns how many bytes that were */
  compact(): Promise<number>;
}
