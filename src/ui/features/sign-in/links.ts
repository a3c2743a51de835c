import type { OfferedReset } from "../../../people/auth/password-reset/schema.ts";
import type { OfferedInvitation } from "../../../people/invitations/schema.ts";
import { api } from "../../lib/api.ts";

export type { OfferedInvitation, OfferedReset };

/** Strangers' calls: a 401 must not ask them to sign in. */
const post = <T>(path: string, body: unknown): Promise<T> => api("POST", path, { body, plain401: true });

/** The token of the link by which the page was opened, from behind the `#`; "" without one. */
export function linkToken(hash: string): string {
  return /^#[\w-]{1,200}$/.test(hash) ? hash.slice(1) : "";
}

export const lookAtInvitation = (token: string): Promise<OfferedInvitation> =>
  post("/api/v1/invitations/look", { token });

/** The next sign-in through a provider in this browser uses the invitation. */
export const keepInvitation = (token: string): Promise<unknown> => post("/api/v1/invitations/sso", { token });

export const lookAtReset = (token: string): Promise<OfferedReset> => post("/api/v1/auths/password/look", { token });

export const setPassword = (token: string, password: string): Promise<unknown> =>
  post("/api/v1/auths/password/reset", { token, password });

export const forgetPassword = (email: string): Promise<unknown> => post("/api/v1/auths/password/forgotten", { email });
