import * as z from "zod";

export const mailKinds = ["invitation", "password_reset"] as const;
export type MailKind = (typeof mailKinds)[number];

/** `failed`: given up, because the server refuses it or its link has ended. */
export const mailStates = ["pending", "sent", "failed"] as const;

/** How the connection to the mail server is encrypted: at once, after a word in the clear, or not at all. */
export const mailSecurities = ["tls", "starttls", "none"] as const;
export type MailSecurity = (typeof mailSecurities)[number];

/** Where a conversation with a mail server ended. */
export const mailSteps = ["settings", "connect", "greeting", "tls", "login", "sender", "recipient", "message"] as const;
export type MailStep = (typeof mailSteps)[number];

export const mailPassword = z.object({ password: z.string().max(2000) });

/** What administrators see of the mail server; settings say the rest. */
export const mailStatus = z.object({
  /** Whether e-mails are sent: host and sender are set. */
  is_on: z.boolean(),
  has_password: z.boolean(),
  /** The environment has it, so that it cannot be changed here. */
  is_password_locked: z.boolean(),
  /** E-mails that wait to be sent. */
  pending: z.number().int(),
  /** E-mails of the last days that were given up, newest first. */
  failures: z.array(z.object({ id: z.string(), kind: z.enum(mailKinds), at: z.number().int(), error: z.string() })),
});
export type MailStatus = z.infer<typeof mailStatus>;

export const mailTest = z.object({ to: z.string().max(1000) });

export const mailTestResult = z.object({
  sent: z.boolean(),
  /** Where it ended; null if the server took the message. */
  step: z.enum(mailSteps).nullable(),
  /** What went wrong and what to look at, in plain words; empty if nothing did. */
  message: z.string(),
  /** The whole conversation, without passwords and the text of the message. */
  conversation: z.array(z.object({ from: z.enum(["parley", "server"]), text: z.string() })),
});
export type MailTestResult = z.infer<typeof mailTestResult>;
