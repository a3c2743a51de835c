import * as z from "zod";
import type { Definition } from "../settings/definition.ts";

/** Settings of the machine that the service runs on. */
export const machineSettings = {
  MIN_FREE_DISK: {
    schema: z.number().int().min(0).max(1_000_000_000),
    default: 500,
    where: "anywhere",
    section: "limits",
    type: "number",
    title: "Free disk (MB)",
    description:
      "With less room on the disk of the data folder, uploads are refused with 507 and administrators are warned. 0: never. Only on one machine.",
  },
} as const satisfies Record<string, Definition>;
