import * as z from "zod";
import type { Definition } from "../../settings/definition.ts";
import { readConnectionOptions } from "./connection-options.ts";

const urls = z.array(z.url({ protocol: /^https?$/ })).max(50);

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
  UPSTREAM_TIMEOUT: {
    schema: z.number().int().min(1).max(3600),
    default: 300,
    where: "anywhere",
    section: "connections",
    type: "number",
    aliases: ["AIOHTTP_CLIENT_TIMEOUT"],
    title: "Provider timeout (seconds)",
    description: "How long a provider may send no data, before the answer starts and during it.",
  },
  OPENAI_API_BASE_URLS: {
    schema: urls,
    default: [],
    where: "environment",
    section: "connections",
    type: "list",
    aliases: ["OPENAI_API_BASE_URL"],
    title: "OpenAI-compatible connections",
    description: "Base addresses, separated by semicolons.",
  },
  OPENAI_API_KEYS: {
    schema: z.array(z.string()).max(50),
    default: [],
    where: "environment",
    section: "connections",
    type: "list",
    aliases: ["OPENAI_API_KEY"],
    secret: true,
    title: "Keys of the OpenAI-compatible connections",
    description: "In the same order as the addresses, separated by semicolons.",
  },
  ANTHROPIC_API_BASE_URLS: {
    schema: urls,
    default: [],
    where: "environment",
    section: "connections",
    type: "list",
    aliases: ["ANTHROPIC_API_BASE_URL"],
    title: "Connections with a Messages API",
    description: "Base addresses, separated by semicolons.",
  },
  ANTHROPIC_API_KEYS: {
    schema: z.array(z.string()).max(50),
    default: [],
    where: "environment",
    section: "connections",
    type: "list",
    aliases: ["ANTHROPIC_API_KEY"],
    secret: true,
    title: "Keys of the connections with a Messages API",
    description: "In the same order as the addresses, separated by semicolons.",
  },
  LOCALMODEL_BASE_URLS: {
    schema: urls,
    default: [],
    where: "environment",
    section: "connections",
    type: "list",
    aliases: ["LOCALMODEL_BASE_URL", "OLLAMA_BASE_URLS", "OLLAMA_BASE_URL"],
    title: "Local runtimes",
    description: "Base addresses, separated by semicolons.",
  },
} as const satisfies Record<string, Definition>;
