import type { Reader } from "../row-source.ts";

/** Tables that nothing here is like, with what is in them. */
const tables = {
  skill: "Skills",
  skill_history: "Versions of skills",
  model_history: "Versions of models",
  function_history: "Versions of functions",
  tool_history: "Versions of tools",
  calendar: "Calendars",
  calendar_event: "Events of calendars",
  automation: "Automations",
  automation_run: "Runs of automations",
  app: "Apps",
  oauth_session: "Sessions at other services",
} as const;

/** What is left out as a whole: counted, a line for each table. */
export const restReader: Reader = {
  name: "rest",
  tables: [],
  async *read({ source }) {
    for (const [table, name] of Object.entries(tables)) {
      if ((await source.columns(table)).size === 0) continue;
      const count = await source.count(table);
      if (count > 0) yield { leftOut: { kind: table, id: "all", reason: `${name} don't exist here: ${count}` } };
    }
  },
};
