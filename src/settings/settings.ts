import * as z from "zod";
import { bodyLimits } from "../http/body-limits.ts";
import { logFormats, logLevels } from "../lib/log-line.ts";
import type { Definition } from "./definition.ts";

/** What the bodies of requests may cost. */
const bodySettings = {
  MAX_JSON_VALUES: {
    schema: z.number().int().min(1000).max(10_000_000),
    default: bodyLimits.MAX_JSON_VALUES,
    where: "environment",
    section: "network",
    type: "number",
    title: "Values in a body",
    description: "How many values the JSON body of an ordinary request may have.",
  },
  MAX_LARGE_JSON_VALUES: {
    schema: z.number().int().min(1000).max(10_000_000),
    default: bodyLimits.MAX_LARGE_JSON_VALUES,
    where: "environment",
    section: "network",
    type: "number",
    title: "Values in a large body",
    description: "The same for requests that carry conversations: chats, completions, and calls of local runtimes.",
  },
  MAX_BODY_MEMORY: {
    schema: z.number().int().min(32).max(10_000),
    default: bodyLimits.MAX_BODY_MEMORY,
    where: "environment",
    section: "network",
    type: "number",
    title: "Memory for bodies",
    description: "Megabytes of JSON bodies that may be in progress at the same time. Further requests wait.",
  },
} as const satisfies Record<string, Definition>;

/** What is written about what happens. */
const logSettings = {
  LOG_LEVEL: {
    schema: z.enum(logLevels),
    default: "info",
    where: "environment",
    section: "service",
    type: "choice",
    options: logLevels,
    title: "Level of the log",
    description: "Lines that are less important than this are not written.",
  },
  LOG_FORMAT: {
    schema: z.enum(logFormats),
    default: "text",
    where: "environment",
    section: "service",
    type: "choice",
    options: logFormats,
    title: "Form of the log",
    description: "Lines for people, or a JSON object in each line. On the edge it is always JSON.",
  },
  ACCESS_LOG: {
    schema: z.boolean(),
    default: false,
    where: "environment",
    section: "service",
    type: "boolean",
    title: "Log of requests",
    description:
      "A line for each answered request: method, route, status, duration, bytes, request id, address of the caller and id of the person.",
  },
} as const satisfies Record<string, Definition>;

export const generalSettings = {
  ...logSettings,
  ...bodySettings,
  CLIENT_ADDRESS_HEADER: {
    schema: z.string().regex(/^[a-z\d-]{1,100}$/i, "a header name"),
    default: "cf-connecting-ip",
    where: "environment",
    section: "network",
    type: "text",
    title: "Header with the caller's address",
    description:
      "Set by what takes connections, for limits by address. On one machine the launcher sets it; on the edge, Cloudflare.",
  },
  PUBLIC_ORIGIN_HEADER: {
    schema: z.string().regex(/^(?:[a-z\d-]{1,100})?$/i, "a header name"),
    default: "",
    where: "environment",
    section: "network",
    type: "text",
    title: "Header with the public address",
    description:
      "Set by what takes connections, with scheme and host as people see them. On one machine the launcher sets it, if a proxy in TRUSTED_PROXIES tells. WEBUI_URL wins.",
  },
  BASE_PATH: {
    schema: z.string().regex(/^(?:(?:\/[a-z\d._~-]+)+)?$/i, "such as /parley, without a slash at the end"),
    default: "",
    where: "environment",
    section: "network",
    type: "text",
    title: "Base path",
    description:
      "Everything of Parley is below this path, such as /parley: pages, API, sockets, links and cookies. The proxy passes the whole path on.",
  },
  ENV: {
    schema: z.enum(["dev", "prod"]),
    default: "prod",
    where: "environment",
    section: "service",
    type: "choice",
    options: ["dev", "prod"],
    title: "Mode",
    description: "dev serves the API documentation at /docs and /openapi.json.",
  },
  PROCESS_CONFINEMENT: {
    schema: z.enum(["", "walls", "privileges", "none"]),
    default: "",
    where: "environment",
    section: "service",
    type: "choice",
    options: ["", "walls", "privileges", "none"],
    title: "Confinement of processes",
    description:
      "What the system takes from processes for plugins, documents and passwords. On one machine the launcher sets it. walls: privileges, the files of the service, and where nothing is called the network. privileges: only these. Empty: the platform decides.",
  },
  WEBUI_NAME: {
    schema: z.string().min(1).max(80),
    default: "Parley",
    where: "anywhere",
    section: "general",
    type: "text",
    title: "Name",
    description: "Shown on the sign-in page and in tab titles.",
  },
  WEBUI_URL: {
    schema: z.union([z.literal(""), z.url({ protocol: /^https?$/ })]),
    default: "",
    where: "anywhere",
    section: "general",
    type: "text",
    title: "Public address",
    description:
      "The address at which people reach the service. If it is https, the session cookie is sent over https only.",
  },
  OUTBOUND_ALLOWED_PRIVATE_HOSTS: {
    schema: z
      .array(z.string().regex(/^[^\s/:]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/i, "host or host:port"))
      .max(200),
    default: [],
    where: "environment",
    section: "network",
    type: "list",
    separator: ",",
    title: "Allowed private addresses",
    description: "host or host:port, separated by commas. People and plugins may call these although they are private.",
  },
} as const satisfies Record<string, Definition>;
