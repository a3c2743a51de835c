import * as z from "zod";
import { time } from "../../schema.ts";

export const forgottenPassword = z.object({ email: z.string().max(1000) });

const token = z.string().min(1).max(200);

export const presentedReset = z.object({ token });

/** Whose password the link sets, so that browsers store it with the right address. */
export const offeredReset = z.object({ email: z.string(), expires_at: time });
export type OfferedReset = z.infer<typeof offeredReset>;

export const newPasswordByLink = z.object({ token, password: z.string().max(10_000) });

/** The link is in this answer only. */
export const resetLink = z.object({ link: z.string(), expires_at: time });
export type ResetLink = z.infer<typeof resetLink>;
