import * as z from "zod";
import type { Definition } from "../../settings/definition.ts";

/** Settings of code that people and models run. */
export const codeRunSettings = {
  ENABLE_PREVIEWS: {
    schema: z.boolean(),
    default: true,
    where: "anywhere",
    section: "chat",
    type: "boolean",
    title: "Previews of answers",
    description:
      "People can open pages, tables and diagrams of answers beside the chat, in a frame without network and storage.",
  },
  ENABLE_CODE_EXECUTION: {
    schema: z.boolean(),
    default: true,
    where: "anywhere",
    section: "chat",
    type: "boolean",
    title: "Run code of answers",
    description: "People can run Python and JavaScript of answers. Python runs in an isolated process without network.",
  },
  ENABLE_CODE_INTERPRETER: {
    schema: z.boolean(),
    default: true,
    where: "anywhere",
    section: "chat",
    type: "boolean",
    title: "Models may run code",
    description: "People can allow models to run Python for an answer. It runs in the same isolated processes.",
  },
  CODE_EXECUTION_TIMEOUT: {
    schema: z.number().int().min(1).max(600),
    default: 60,
    where: "anywhere",
    section: "chat",
    type: "number",
    title: "Longest run of code (seconds)",
    description: "A run that takes longer is stopped.",
  },
} as const satisfies Record<string, Definition>;
