import type { Reader } from "../row-source.ts";

/** Tables that nothing here is like, with what is in them. */
const tables = {
  skill: "skills",
  skill_history: "versions of skills",
  model_history: "versions of models",
  function_history: "versions of functions",
  tool_history: "versions of tools",
  feedback: "ratings of answers",
  calendar: "calendars",
  calendar_event: "events of calendars",
  automation: "automations",
  automation_run: "runs of automations",
  app: "apps",
  oauth_session: "sessions at other services",
} as const;

/** What is left out as a whole: counted, a line for each table. */
export const restReader: Reader = {
  name: "rest",
  tables: [],
  async *read({ source }) {
    for (const [table, name] of Object.entries(tables)) {
      if ((await source.columns(table)).size === 0) continue;
      const count = await source.count(table);
      if (count > 0)
        yield { leftOut: { kind: table, id: "all", reason: `There are no ${name} here: ${count} are left out` } };
    }
  },
};
