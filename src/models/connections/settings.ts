import * as z from "zod";
import type { Definition } from "../../settings/definition.ts";
import { readConnectionOptions } from "./connection-options.ts";

export const connectionSettings = {
  CONNECTION_OPTIONS: {
    schema: z
      .string()
      .max(64_000)
      .refine((text) => readConnectionOptions(text) !== undefined, "not an object of this form"),
    default: "",
    where: "environment",
    section: "connections",
    type: "text",
    title: "Options for connections from the environment",
    description: `A JSON object such as {"env-openai-0": {"quirks": {"rename": {"max_tokens": "max_completion_tokens"}}, "policy": {"max_concurrent": 8}}}, with connection IDs as keys.`,
  },
} as const satisfies Record<string, Definition>;
