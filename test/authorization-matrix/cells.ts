/** Who calls, in the words of the matrix. */
export const callers = [
  "anonymous",
  "pending",
  "user",
  "other user",
  "organization admin",
  "admin of another organization",
  "system admin",
  "identity provider",
] as const;
export type Caller = (typeof callers)[number];

/** What the caller shows. The restricted key is one while only another endpoint is listed for keys. */
export const credentials = ["JWT", "cookie", "key", "restricted key"] as const;
export type CredentialName = (typeof credentials)[number];

/** Whose thing an id names, seen from the caller. `none` where a route names nothing. */
export const variants = ["own", "foreign", "foreign organization", "deleted", "malformed"] as const;
export type Variant = (typeof variants)[number];

/** One cell: who asks with what for whose thing. */
export interface Cell {
  caller: Caller;
  credential: CredentialName;
  /** The id that varies (its name in the row) while all others are the caller's own; undefined where there is none. */
  id: string | undefined;
  variant: Variant;
}

/** What has to come out: success, one status, or one of some; nothing may be written unless it is a success. */
export type Outcome = "ok" | number | readonly number[];

/** What kinds of things ids name. */
export type Kind =
  | "user"
  | "chat"
  | "message"
  | "tool call"
  | "run"
  | "question"
  | "action"
  | "file"
  | "upload"
  | "passage"
  | "knowledge base"
  | "held file"
  | "directory"
  | "folder"
  | "prompt"
  | "memory"
  | "rating"
  | "prompt version"
  | "command"
  | "shared chat"
  | "link"
  | "response"
  | "session"
  | "passkey"
  | "key"
  | "invitation"
  | "service account"
  | "service key"
  | "connection"
  | "direct connection"
  | "tool server"
  | "model"
  | "provider's model"
  | "group"
  | "organization"
  | "function"
  | "tool"
  | "version"
  | "package"
  | "package download"
  | "quota"
  | "channel"
  | "channel webhook"
  | "channel member"
  | "channel answer"
  | "channel message"
  | "public channel"
  | "direct channel"
  | "webhook delivery"
  | "webhook target"
  | "word";

/** Kinds of which nothing is made to be deleted again: an id that was never given out stands for it. */
export const neverDeleted: ReadonlySet<Kind> = new Set([
  "message",
  "tool call",
  "action",
  "provider's model",
  "prompt version",
  "channel member",
  "channel answer",
  "channel message",
  "webhook target",
]);

export type Ids = Readonly<Record<string, string>>;

/** What a request says beside its path. */
export interface Saying {
  query?: Record<string, string>;
  json?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
}

export interface Row {
  /** The ids that the route takes, wherever they stand; those named as path parameters go there. */
  ids?: Readonly<Record<string, Kind>>;
  say?: (ids: Ids) => Saying;
  /** The request may end what its caller shows, so each success needs a caller of its own. */
  spendsCaller?: true;
  may: (cell: Cell) => Outcome;
}

/** An id that cannot be one, or that names nothing: refused by its form or not found. */
const unreadable = [400, 404, 422] as const;

const isManager = ({ caller }: Cell): boolean =>
  caller === "organization admin" || caller === "admin of another organization" || caller === "system admin";

/** Everyone who is approved; for an id, whoever it belongs to. */
export const everyone = (): Outcome => "ok";

export const systemAdmin = ({ caller }: Cell): Outcome => (caller === "system admin" ? "ok" : 403);

export const managers = (cell: Cell): Outcome => (isManager(cell) ? "ok" : 403);

/** Everyone, for what exists, whoever made it. */
export const existing = ({ variant }: Cell): Outcome => {
  if (variant === "malformed") return unreadable;
  return variant === "deleted" ? 404 : "ok";
};

/** What is one's own is there, what is another's is not. */
export const owner = ({ variant }: Cell): Outcome => {
  if (variant === "own") return "ok";
  return variant === "malformed" ? unreadable : 404;
};

/** As `owner`, but system administrators reach everything that exists. */
export const ownerOrSystemAdmin = (cell: Cell): Outcome =>
  cell.caller === "system admin" ? systemAdminOf(cell) : owner(cell);

/** System administrators only, for whom everything is there that exists. */
export const systemAdminOf = (cell: Cell): Outcome => {
  if (cell.caller !== "system admin") return 403;
  if (cell.variant === "deleted") return 404;
  return cell.variant === "malformed" ? unreadable : "ok";
};

/** Managers, for whom everything of their organization is there; system administrators everything that exists. */
export const managersOf = (cell: Cell): Outcome => (isManager(cell) ? insideOrganization(cell) : 403);

/** As `managersOf`, but for everybody else it is not there at all. */
export const managersAlone = (cell: Cell): Outcome => {
  if (cell.variant === "malformed") return unreadable;
  return isManager(cell) ? insideOrganization(cell) : 404;
};

/** Everyone, for what is in their organization; system administrators everything that exists. */
export const insideOrganization = ({ caller, variant }: Cell): Outcome => {
  if (variant === "malformed") return unreadable;
  if (variant === "deleted") return 404;
  return variant === "foreign organization" && caller !== "system admin" ? 404 : "ok";
};

/** One's own; of administrators all that their organization has, of system administrators all there is. */
export const keeper = (cell: Cell): Outcome => (cell.caller.includes("admin") ? insideOrganization(cell) : owner(cell));

/** The identity provider's: nobody else has a token that counts there. */
export const provisioner = ({ variant }: Cell): Outcome =>
  variant === "deleted" || variant === "malformed" ? unreadable : "ok";

/** Always the same answer, such as one that asks for an upgrade. */
export const always = (outcome: Outcome) => (): Outcome => outcome;

/** The policy, but keys are refused: what a key must not be able to do. */
export const signedIn =
  (may: Row["may"]): Row["may"] =>
  (cell) =>
    cell.credential === "key" ? 403 : may(cell);

/** What a body refers to: who or what is not there for the caller does not fit into it. */
export const reference = ({ caller, variant }: Cell): Outcome => {
  if (variant === "own" || variant === "foreign") return "ok";
  return variant === "foreign organization" && caller === "system admin" ? "ok" : unreadable;
};

/** Finds what is there for the caller, and nothing for an id that is not. */
export const filter = (cell: Cell): Outcome => (cell.variant === "malformed" ? [200, 422] : "ok");

/** The policy, for those whom another one lets through. */
export const both =
  (first: Row["may"], second: Row["may"]): Row["may"] =>
  (cell) => {
    const outcome = first(cell);
    return outcome === "ok" ? second(cell) : outcome;
  };

/** A different policy for one of the ids. */
export const forId =
  (policies: Readonly<Record<string, Row["may"]>>, otherwise: Row["may"]): Row["may"] =>
  (cell) =>
    (policies[cell.id ?? ""] ?? otherwise)(cell);
