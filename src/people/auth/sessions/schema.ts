import * as z from "zod";
import { time } from "../../schema.ts";

export const sessionList = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      /** Whether it is the one that asks. */
      current: z.boolean(),
      created_at: time,
      /** Noted once a minute. */
      last_used_at: time,
      /** Null for one without an end. */
      expires_at: time.nullable(),
      user_agent: z.string(),
    }),
  ),
});
export type SessionList = z.infer<typeof sessionList>;

export const signInList = z.object({
  sign_ins: z.array(
    z.object({
      id: z.string(),
      at: time,
      kind: z.enum(["signed_in", "signed_out", "failed"]),
      /** How often it was tried within an hour, where it failed. */
      attempts: z.number().int(),
      /** Network address; null where it is not known. */
      address: z.string().nullable(),
      user_agent: z.string(),
    }),
  ),
});
export type SignInList = z.infer<typeof signInList>;

export const endedSessions = z.object({ status: z.literal(true), ended: z.number().int() });
