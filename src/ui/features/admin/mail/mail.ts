import type { MailStatus, MailTestResult } from "../../../../mail/schema.ts";
import { api } from "../../../lib/api.ts";

export type { MailStatus, MailTestResult };

export const loadMail = (signal?: AbortSignal): Promise<MailStatus> => api("GET", "/api/v1/mail", { signal });

export const savePassword = (password: string): Promise<MailStatus> =>
  api("PUT", "/api/v1/mail/password", { body: { password } });

/** Servers may think for half a minute. */
export const testMail = (to: string): Promise<MailTestResult> =>
  api("POST", "/api/v1/mail/test", { body: { to }, timeout: 45_000 });
