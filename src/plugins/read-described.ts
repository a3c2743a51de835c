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
 * What an isolate said of a source, in the shape that it has to have. It was said where the plugin's own code runs, which may
 * have changed it: everyone's lists are made of this.
 */
export function readDescribed(said: Described): Described {
  const { data } = described.safeParse(said);
  if (!data) {
    const message = "Its description of itself is invalid";
    return { code: undefined, info: undefined, problems: [{ severity: "error", message }] };
  }
  const problems = data.problems.map(({ severity, message, line, column }) => ({
    severity,
    message: message.slice(0, 2000),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  }));
  return { code: data.code, info: data.info, problems };
}
