import * as z from "zod";
import type { Definition } from "../../settings/definition.ts";

export const directConnectionSettings = {
  ENABLE_DIRECT_CONNECTIONS: {
    schema: z.boolean(),
    default: false,
    where: "anywhere",
    section: "connections",
    type: "boolean",
    title: "Direct connections",
    description:
      "People with the permission features.direct_connections connect providers of their own, with their own keys, for themselves only.",
  },
} as const satisfies Record<string, Definition>;
