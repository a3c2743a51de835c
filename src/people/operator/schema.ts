import * as z from "zod";
import { resetLink } from "../auth/password-reset/schema.ts";

/** So many people in one request. */
export const maxImported = 100;

const email = z.string().max(320);
const password = z.string().describe("Left out: one is made, and returned once");

export const importedPerson = z.object({
  email,
  name: z.string().trim().min(1).max(200),
  role: z.enum(["admin", "user", "pending"]).default("user"),
  /** Name or id; left out: the landing rules decide. */
  organization: z.string().max(200).optional(),
  /** Names of groups of that organization. */
  groups: z.array(z.string().max(200)).max(100).default([]),
  password: password.optional(),
  /** For people who sign in elsewhere. */
  without_password: z.boolean().default(false),
});
export type ImportedPerson = z.infer<typeof importedPerson>;

export const importedPeople = z.object({ people: z.array(importedPerson).min(1).max(maxImported) });

export const importResult = z.object({
  email: z.string(),
  status: z.enum(["created", "exists", "failed"]),
  /** One that was made. */
  password: z.string().optional(),
  /** Why it failed. */
  reason: z.string().optional(),
});
export type ImportResult = z.infer<typeof importResult>;

export const importResults = z.object({ people: z.array(importResult) });

export const firstAdministrator = z.object({ email, name: z.string().trim().min(1).max(200), password: z.string() });
export type FirstAdministrator = z.infer<typeof firstAdministrator>;
export const firstAdministratorResult = z.object({
  /** False if there is an administrator already: then nothing changes. */
  created: z.boolean(),
});

export const passwordReset = z.object({ email, password: password.optional() });
export type PasswordReset = z.infer<typeof passwordReset>;
export const passwordResetResult = z.object({ email: z.string(), password: z.string().optional() });

export const promotion = z.object({ email });
export const promotionResult = z.object({ email: z.string(), role: z.literal("admin") });

export const namedPerson = z.object({ email: z.string().max(1000) });

export const operatorLink = resetLink.extend({ email: z.string() });
