import { SignJWT } from "jose";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { newId } from "../../lib/id.ts";
import type { ToolScope } from "../tool.ts";
import type { ToolServer } from "./tool-server.ts";

/** Seconds for which signed user information is good. */
const lifetimeSeconds = 300;

export type CallPlace = Pick<ToolScope, "chatId" | "messageId">;

/**
 * What ENABLE_FORWARD_USER_INFO_HEADERS adds to a call: chat and message, by which the server can send events back, and who
 * asks, in clear or, with a secret, as one signed token (HS256) for this server alone.
 */
export async function userInformation(
  ctx: Context,
  user: User,
  server: Pick<ToolServer, "url">,
  { chatId, messageId }: CallPlace,
): Promise<Record<string, string>> {
  if (!ctx.settings.ENABLE_FORWARD_USER_INFO_HEADERS) return {};
  const secret = ctx.settings.FORWARD_USER_INFO_HEADER_JWT_SECRET;
  return {
    ...(chatId === undefined ? {} : { "X-Service-Chat-Id": headerText(chatId) }),
    ...(messageId === undefined ? {} : { "X-Service-Message-Id": headerText(messageId) }),
    ...(secret === ""
      ? {
          "X-Service-User-Id": headerText(user.id),
          "X-Service-User-Name": headerText(user.name),
          "X-Service-User-Email": headerText(user.email),
          "X-Service-User-Role": user.role,
        }
      : { "X-Service-User-Jwt": await sign(ctx, user, server, secret) }),
  };
}

function sign(ctx: Context, user: User, server: Pick<ToolServer, "url">, secret: string): Promise<string> {
  const now = ctx.now();
  return new SignJWT({ name: user.name, email: user.email, role: user.role })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setSubject(user.id)
    .setIssuer(ctx.origin)
    .setAudience(server.url)
    .setJti(newId())
    .setIssuedAt(now)
    .setExpirationTime(now + lifetimeSeconds)
    .sign(new TextEncoder().encode(secret));
}

/** Headers carry ASCII: everything else, and the percent sign, is percent-encoded (RFC 3986), so that it can be read back. */
export function headerText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\x20-\x7e]|%/gu, encodeURIComponent)
    .trim();
}

/** The values that headers of a server may name as `{{USER_ID}}` and so on. */
export function fillPlaceholders(text: string, user: User, { chatId, messageId }: CallPlace): string {
  const values: Record<string, string> = {
    USER_ID: user.id,
    USER_NAME: user.name,
    USER_EMAIL: user.email,
    USER_ROLE: user.role,
    CHAT_ID: chatId ?? "",
    MESSAGE_ID: messageId ?? "",
  };
  return text.replace(/\{\{\s*([A-Z_]+)\s*\}\}/g, (all, name: string) =>
    Object.hasOwn(values, name) ? headerText(values[name]!) : all,
  );
}
