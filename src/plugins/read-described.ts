import * as z from "zod";
import type { Described, PluginInfo } from "./plugin-host.ts";
import { problem } from "./schema.ts";

const record = z.record(z.string(), z.unknown());
const some = z.string().max(300);

const pluginInfo: z.ZodType<PluginInfo> = z.object({
  type: z.enum(["pipe", "filter", "action", "tools"]),
  language: z.enum(["javascript", "python"]),
  manifest: z.record(z.string(), z.string()),
  hooks: z.array(some),
  specs: z.array(z.object({ name: some.min(1), description: z.string(), parameters: record })),
  valvesSchema: record.nullable(),
  userValvesSchema: record.nullable(),
  valveDefaults: record,
  toggle: z.boolean(),
  icon: z.string().nullable(),
  fileHandler: z.boolean(),
  pipes: z.array(z.object({ id: some, name: some })).nullable(),
  namePrefix: some,
  actions: z.array(z.object({ id: some, name: some, icon: z.string().nullable() })),
});
const described = z.object({
  code: z.string().optional(),
  info: pluginInfo.optional(),
  problems: z.array(problem).max(1000),
});

/**
 * Validates an isolate's description of a source. It comes from where the plugin's code runs and may have been
 * manipulated, and everyone's lists are built from it.
 */
export function readDescribed(said: Described): Described {
  const { data } = described.safeParse(said);
  if (!data) {
    const message = "Its description of itself is invalid";
    return { code: undefined, info: undefined, problems: [{ severity: "error", message }] };
  }
  const problems = data.problems.map(({ severity, message, line, column, package: missing }) => ({
    severity,
    message: message.slice(0, 2000),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(missing === undefined ? {} : { package: missing }),
  }));
  return { code: data.code, info: data.info, problems };
}
