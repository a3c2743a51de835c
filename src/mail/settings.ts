import * as z from "zod";
import type { Definition } from "../settings/definition.ts";
import { mailSecurities } from "./schema.ts";
import { parseSender } from "./sender.ts";

/** A name or an address, without scheme and port. */
const hostName = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])$/;

/** Settings of the mail server that e-mails are sent by. */
export const mailSettings = {
  SMTP_HOST: {
    schema: z.union([z.literal(""), z.string().regex(hostName, "a host name or address, without a port")]),
    default: "",
    where: "anywhere",
    section: "mail",
    type: "text",
    title: "Mail server",
    description: "Host name of the SMTP server. If empty, no e-mails are sent.",
  },
  SMTP_PORT: {
    schema: z.number().int().min(1).max(65_535),
    default: 587,
    where: "anywhere",
    section: "mail",
    type: "number",
    title: "Port",
    description: "Usually 587 with STARTTLS, 465 with TLS.",
  },
  SMTP_SECURITY: {
    schema: z.enum(mailSecurities),
    default: "starttls",
    where: "anywhere",
    section: "mail",
    type: "choice",
    options: [...mailSecurities],
    title: "Encryption",
    description:
      "tls: encrypted from the beginning. starttls: encrypted before anything secret is said, or not sent at all. none: for a server on the same machine or network.",
  },
  SMTP_USER: {
    schema: z.string().max(500),
    default: "",
    where: "anywhere",
    section: "mail",
    type: "text",
    title: "User name",
    description: "If empty, Parley does not sign in to the mail server.",
  },
  SMTP_PASSWORD: {
    schema: z.string().max(2000),
    default: "",
    where: "environment",
    section: "mail",
    type: "text",
    secret: true,
    title: "Password",
    description: "Overrides the password that is entered under Admin > E-mail.",
  },
  SMTP_FROM: {
    schema: z.union([
      z.literal(""),
      z
        .string()
        .max(500)
        .refine((text) => parseSender(text) !== undefined, "an address, or a name with an address in angle brackets"),
    ]),
    default: "",
    where: "anywhere",
    section: "mail",
    type: "text",
    title: "Sender",
    description: "Such as parley@example.org, or Parley <parley@example.org>. Without it, no e-mails are sent.",
  },
} as const satisfies Record<string, Definition>;
