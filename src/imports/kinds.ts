import type { Kind } from "./kind.ts";
import { apiKey } from "./people/api-key.ts";
import { group } from "./people/group.ts";
import { person } from "./people/person.ts";
import { connection } from "./workspace/connection.ts";
import { model } from "./workspace/model.ts";
import { functionKind, toolKind } from "./workspace/plugin.ts";
import { prompt } from "./workspace/prompt.ts";
import { setting } from "./workspace/setting.ts";
import { userValves } from "./workspace/user-valves.ts";

/** All kinds of records by their names, in the order in which they are imported: each refers only to those before it. */
export const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["person", person],
  ["group", group],
  ["api_key", apiKey],
  ["function", functionKind],
  ["tool", toolKind],
  ["user_valves", userValves],
  ["model", model],
  ["prompt", prompt],
  ["connection", connection],
  ["setting", setting],
]);
