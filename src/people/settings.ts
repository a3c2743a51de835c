import * as z from "zod";
import { parseDuration } from "../lib/duration.ts";
import type { Definition } from "../settings/definition.ts";
import { passwordCosts } from "./auth/passwords/cost.ts";

const boolean = z.boolean();

export const accountSettings = {
  ENABLE_SIGNUP: {
    schema: boolean,
    default: true,
    where: "anywhere",
    section: "accounts",
    type: "boolean",
    title: "People may sign up",
    description: "When off, only administrators and the identity provider can create accounts.",
  },
  DEFAULT_USER_ROLE: {
    schema: z.enum(["pending", "user"]),
    default: "pending",
    where: "anywhere",
    section: "accounts",
    type: "choice",
    options: ["pending", "user"],
    title: "Role of new people",
    description: "Pending people have to wait until an administrator activates them.",
  },
  MAX_WAITING_ACCOUNTS: {
    schema: z.number().int().min(1).max(1_000_000),
    default: 1000,
    where: "anywhere",
    section: "accounts",
    type: "number",
    title: "Accounts that may wait",
    description:
      "When so many people wait to be activated, nobody else can sign up. One network gets a quarter of the places. They wait for 7 days at most.",
  },
  MAX_NETWORK_SIGNUPS: {
    schema: z.number().int().min(0).max(1_000_000),
    default: 60,
    where: "anywhere",
    section: "accounts",
    type: "number",
    title: "Sign-ups from one network",
    description:
      "So many people can sign up from one network (IPv4 /24, IPv6 /64) at once, and as many in each hour after that. 0: no limit.",
  },
  ENABLE_USER_STATUS: {
    schema: boolean,
    default: true,
    where: "anywhere",
    section: "accounts",
    type: "boolean",
    title: "Status messages",
    description: "People can say what they are doing at the moment, with an emoji. Their organization sees it.",
  },
  SECOND_FACTOR: {
    schema: z.enum(["optional", "administrators", "everyone"]),
    default: "optional",
    where: "anywhere",
    section: "accounts",
    type: "choice",
    options: ["optional", "administrators", "everyone"],
    title: "Who needs a second factor",
    description:
      "Of those who sign in with a password. They set it up before anything else. Administrators are those of the service and of organizations. An organization can require it of all its people. Single sign-on and API keys are exempt.",
  },
  ENABLE_PASSKEYS: {
    schema: boolean,
    default: true,
    where: "anywhere",
    section: "accounts",
    type: "boolean",
    title: "Passkeys",
    description:
      "People with a password may add passkeys, to sign in without the password and as a second factor. When off, passkeys that are there neither sign in nor count as a second factor.",
  },
  PASSWORD_COST: {
    schema: z.number().int().min(passwordCosts.least).max(passwordCosts.most),
    default: passwordCosts.usual,
    where: "environment",
    section: "accounts",
    type: "number",
    title: "Cost of password hashes",
    description:
      "How much work it takes to check a password, and to guess one from a stolen database: scrypt's N as a power of two. 14 takes 16 MB and about 0.2 s; 15 and 16 take 32 and 64 MB, and about 0.35 s. Below 14 only for tests. A password gets a new cost at its next sign-in.",
  },
  JWT_EXPIRES_IN: {
    schema: z
      .string()
      .refine(
        (value) => parseDuration(value) !== undefined,
        "a number with a unit (ms, s, m, h, d, w) such as 4w, or -1 for never",
      ),
    default: "4w",
    where: "anywhere",
    section: "accounts",
    type: "text",
    title: "Session lifetime",
    description: "A number with a unit, such as 12h or 4w. -1: sessions never expire.",
  },
  SHOW_ADMIN_DETAILS: {
    schema: boolean,
    default: true,
    where: "anywhere",
    section: "accounts",
    type: "boolean",
    title: "Show an administrator's contact",
    description: "People who wait for approval see the name and address of an administrator.",
  },
  ADMIN_EMAIL: {
    schema: z.union([z.literal(""), z.email()]),
    default: "",
    where: "anywhere",
    section: "accounts",
    type: "text",
    title: "Contact address",
    description: "Shown to people who wait for approval. If empty, the first administrator's address.",
  },
  PENDING_USER_OVERLAY_TITLE: {
    schema: z.string().max(200),
    default: "",
    where: "anywhere",
    section: "accounts",
    type: "text",
    title: "Waiting page: title",
    description: "If empty, the built-in title.",
  },
  PENDING_USER_OVERLAY_CONTENT: {
    schema: z.string().max(4000),
    default: "",
    where: "anywhere",
    section: "accounts",
    type: "text",
    title: "Waiting page: text",
    description: "If empty, the built-in text.",
  },
} as const satisfies Record<string, Definition>;
