import { hasPermission, managesOrganization, type User } from "../../access.ts";
import { isForeignKeyViolation } from "../../db/database-error.ts";
import { AppError, type Issue } from "../../errors.ts";
import { checkedHeaders } from "../../http/check-headers.ts";
import { assertPublic } from "../../http/guarded-fetch.ts";
import { maskedValue } from "../../http/header-rules.ts";
import { isRecord } from "../../lib/json.ts";
import type { GrantView } from "../../people/grants/schema.ts";
import { isTrusted } from "./server-rights.ts";
import type { ToolServer, ToolServerRow, ToolServerSecrets } from "./tool-server.ts";

type Given = Pick<ToolServerRow, "kind" | "url" | "specPath" | "authType" | "userId" | "organizationId">;

export function refuse(path: string, message: string): AppError {
  const issues: Issue[] = [{ path, message }];
  return new AppError("validation_failed", `${path}: ${message}`, { issues, param: path });
}

/**
 * An address as stored: http(s), without fragment, name and password; an OpenAPI server's without trailing slash.
 * @throws AppError `validation_failed`
 */
export function checkedUrl(kind: Given["kind"], text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  if (!url || !isHttp || url.hostname === "" || url.username !== "" || url.password !== "")
    throw refuse("url", "An address looks like https://tools.example.org, without keys and passwords");
  url.hash = "";
  if (kind === "mcp") return url.href;
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** @throws AppError `validation_failed` */
export function checkedSpecPath(text: string): string {
  if (text === "") return "";
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
    if (!url || !isHttp || url.username !== "" || url.password !== "")
      throw refuse(
        "spec_path",
        "The document's address must start with http:// or https:// and must not contain a password",
      );
    url.hash = "";
    return url.href;
  }
  if (text.startsWith("//") || /(?:^|\/)\.\.(?:\/|$)|[\\#]/.test(text))
    throw refuse("spec_path", "A path looks like openapi.json or docs/openapi.yaml");
  return text.replace(/^\/+/, "");
}

/**
 * Checks the combination of fields.
 * @throws AppError `validation_failed`, `address_not_allowed`
 */
export function checkWhole(server: Given, allowedPrivate: readonly string[]): void {
  if (isTrusted(server)) return;
  // Anyone who keeps the server would act as everybody who uses it, system administrators among them.
  if (server.authType === "session")
    throw refuse(
      "auth_type",
      "A session token gives access to the whole account: it can be sent only to servers that system administrators added for everyone",
    );
  for (const address of [server.url, server.specPath]) {
    if (!/^https?:/.test(address)) continue;
    const url = new URL(address);
    // The way out is guarded as well, at every call: here it is said early.
    if (!allowedPrivate.includes(url.host) && !allowedPrivate.includes(url.hostname)) assertPublic(url);
  }
}

/**
 * The headers to store: a masked value keeps the stored one.
 * @throws AppError `validation_failed`
 */
export function checkedToolHeaders(
  given: Record<string, string>,
  { headers }: Pick<ToolServerSecrets, "headers">,
): Record<string, string> {
  const checked = checkedHeaders(given, isRecord(headers) ? headers : {});
  for (const name of Object.keys(checked))
    if (/^(?:authorization|mcp-.*|accept|last-event-id)$/i.test(name))
      throw refuse(
        `headers.${name}`,
        `The header ${name} is set by the service: choose an authentication type instead`,
      );
  return checked;
}

/** Secrets as somebody gives them with a change or a trial: what is absent stays as it is stored. */
interface GivenSecrets {
  key?: string | undefined;
  headers?: Record<string, string> | undefined;
  oauth?: { client_secret?: string | undefined } | undefined;
}

/**
 * Secrets that the person cannot see are sent to no other host than the one they were entered for: a person who changes
 * the address of an organization's server has to enter them again. System administrators are exempt.
 * @throws AppError `validation_failed`
 */
export function checkSecretsStay(user: User, before: ToolServer, next: Pick<Given, "url">, given: GivenSecrets): void {
  if (user.role === "admin" || before.userId !== null) return;
  if (new URL(next.url).origin === new URL(before.url).origin) return;
  const { key, headers, oauth } = before.secrets;
  const enterAgain = "This belongs to the previous address: enter it again";
  if (key !== "" && given.key === undefined) throw refuse("key", enterAgain);
  const [keptHeader] = given.headers
    ? Object.keys(given.headers).filter((name) => given.headers![name]!.trim() === maskedValue)
    : Object.keys(headers);
  if (keptHeader !== undefined) throw refuse(`headers.${keptHeader}`, enterAgain);
  if (oauth.clientSecret !== "" && given.oauth?.client_secret === undefined)
    throw refuse("oauth.client_secret", enterAgain);
}

/**
 * Requires the permission to create or move a server there.
 * @throws AppError `forbidden`
 */
export function requirePlace(user: User, server: Pick<Given, "userId" | "organizationId">): void {
  if (server.userId !== null) {
    if (!hasPermission(user, "features.direct_tool_servers"))
      throw new AppError(
        "forbidden",
        "You need the permission features.direct_tool_servers. Ask an administrator for it",
      );
    return;
  }
  const isTheirs =
    server.organizationId === null ? user.role === "admin" : managesOrganization(user, server.organizationId);
  if (!isTheirs)
    throw new AppError(
      "forbidden",
      user.organizationRole === "admin" && user.role === "user"
        ? "You can manage only the tool servers of your own organization: set organization_id"
        : "Only an administrator can do this",
    );
}

/** The person with the permissions for sharing a server: its manager decides who uses it. */
export function asSharer(user: User): User {
  const { permissions } = user;
  return {
    ...user,
    permissions: {
      ...permissions,
      sharing: { ...permissions.sharing, tools: true, public_tools: true },
      access_grants: { allow_users: true, allow_groups: true },
    },
  };
}

/** @throws AppError `validation_failed` for grants that are not supported here. */
export function checkGrantKinds(server: Pick<Given, "userId">, given: readonly GrantView[]): void {
  if (given.length > 0 && server.userId !== null)
    throw refuse(
      "access_grants",
      "A personal tool server cannot be shared: ask an administrator to add one for others",
    );
  if (given.some((grant) => grant.permission === "write"))
    throw refuse("access_grants", "Tool servers can be shared for use only (read)");
}

/**
 * Translates a failed reference, which can only be the organization.
 * @throws AppError `validation_failed` if it does not exist.
 */
export function refuseUnknownOrganization(error: unknown): never {
  if (!isForeignKeyViolation(error)) throw error;
  throw refuse("organization_id", "No such organization");
}
