import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { accessToken } from "./oauth/access-token.ts";
import { ServerFailure } from "./server-failure.ts";
import type { ToolServer } from "./tool-server.ts";
import { fillPlaceholders, userInformation, type CallPlace } from "./user-information.ts";

/** Seconds that a token of the caller's session is good for beyond the call itself. */
const graceSeconds = 60;

/** What every call of the server carries. */
export interface CallHeaders {
  headers: Headers;
  /** What of it must not come back in answers. */
  secrets: string[];
  /** The key or token among them. */
  proof: string | undefined;
}

/**
 * The headers of a call: who asks, what the server's administrators set, and the proof of who calls, which nothing else
 * takes the place of. A call without a person's chat (a test, the list of functions) has an empty `place`.
 * @param rejected an access token that the server has just refused: another one is needed
 * @throws ServerFailure `sign_in` where the person has to connect first; `refused` where an API key asks for a session
 */
export async function callHeaders(
  ctx: Context,
  user: User,
  server: ToolServer,
  place: CallPlace,
  rejected?: string,
): Promise<CallHeaders> {
  if (server.unusable !== undefined) throw new ServerFailure("refused", server.unusable);
  const headers = new Headers(await userInformation(ctx, user, server, place));
  for (const [name, value] of Object.entries(server.secrets.headers))
    headers.set(name, fillPlaceholders(value, user, place));
  const proof = await proofOf(ctx, user, server, rejected);
  if (proof !== undefined) headers.set("authorization", `Bearer ${proof}`);
  const signed = headers.get("x-service-user-jwt");
  const secrets = [
    ...(proof === undefined ? [] : [proof]),
    ...(signed === null ? [] : [signed]),
    ...Object.values(server.secrets.headers).filter((value) => !value.includes("{{")),
  ];
  return { headers, secrets, proof };
}

async function proofOf(
  ctx: Context,
  user: User,
  server: ToolServer,
  rejected: string | undefined,
): Promise<string | undefined> {
  switch (server.authType) {
    case "none":
      return undefined;
    case "bearer":
      return server.secrets.key === "" ? undefined : server.secrets.key;
    case "session":
      return sessionToken(ctx, user, server);
    case "oauth":
      return accessToken(ctx, user, server, rejected);
  }
}

/**
 * A short-lived token of the very session that asks: it ends with the session, or a minute after the call could. An API key
 * has no session, and none is made for it: that would be a right that the key was not given.
 */
function sessionToken(ctx: Context, user: User, server: ToolServer): Promise<string> {
  const { credential } = user;
  if (credential.kind !== "session")
    throw new ServerFailure("refused", `${server.name} can be used only from a signed-in session, not with an API key`);
  const now = ctx.now();
  return ctx.tokens.sign({ id: user.id, jti: credential.sessionId, iat: now }, now + server.timeout + graceSeconds);
}
