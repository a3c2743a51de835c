import * as z from "zod";
import type { Definition } from "../../settings/definition.ts";
import { rateLimitPattern } from "../../shared/rate-limit-pattern.ts";

/** Who and what, combined. */
const maxRateLimits = 24;

const limit = z.number().int().min(0).max(1_000_000_000);

/** What one person, one organization and the service may have. 0 is no limit. */
export const limitSettings = {
  MAX_PERSON_STORAGE: {
    schema: limit,
    default: 10_000,
    where: "anywhere",
    section: "limits",
    type: "number",
    title: "Storage of a person (MB)",
    description: "How much the files of one person may take in all. 0: no limit.",
  },
  MAX_ORGANIZATION_STORAGE: {
    schema: limit,
    default: 0,
    where: "anywhere",
    section: "limits",
    type: "number",
    title: "Storage of an organization (MB)",
    description:
      "How much the files of all people of an organization may take together. 0: no limit. An organization can have a limit of its own.",
  },
  MAX_SERVICE_STORAGE: {
    schema: limit,
    default: 0,
    where: "anywhere",
    section: "limits",
    type: "number",
    title: "Storage of the service (MB)",
    description: "How much all files may take together. 0: no limit. Set it below the size of the disk.",
  },
  MAX_FILES: {
    schema: limit,
    default: 20_000,
    where: "anywhere",
    section: "limits",
    type: "number",
    title: "Files of a person",
    description: "How many files one person may have. 0: no limit.",
  },
  MAX_CHATS: {
    schema: limit,
    default: 20_000,
    where: "anywhere",
    section: "limits",
    type: "number",
    title: "Chats of a person",
    description: "How many chats one person may have, archived ones included. 0: no limit.",
  },
  MAX_WAITING_JOBS: {
    schema: limit,
    default: 2000,
    where: "anywhere",
    section: "limits",
    type: "number",
    title: "Waiting jobs of a person",
    description:
      "How many files of one person may wait to be read, and how many answers of models in channels may be under way. 0: no limit.",
  },
  RATE_LIMITS: {
    schema: z
      .array(z.string().regex(rateLimitPattern, "expected entries such as person.models=600"))
      .max(maxRateLimits)
      .refine((entries) => entries.every((entry) => !entry.endsWith("=0")), "a limit cannot be 0: leave it out"),
    default: [],
    where: "anywhere",
    section: "limits",
    type: "list",
    title: "Requests in a minute",
    description:
      "Limits such as person.models=600, separated by semicolons. Who: person, key (of the API), organization, or address (a network without signing in). What: models, uploads, searches, reads, writes, or all. Without an entry there is no limit.",
  },
} as const satisfies Record<string, Definition>;
