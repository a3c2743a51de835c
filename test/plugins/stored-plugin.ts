import { newId } from "../../src/lib/id.ts";
import type { JsonSchema, PluginInfo } from "../../src/plugins/plugin-host.ts";
import { plugins, pluginVersions } from "../../src/plugins/tables.ts";
import type { World } from "../world.ts";

const schema: JsonSchema = { type: "object", properties: { word: { type: "string" } } };

/** A source of each family, with valves and user valves that have one field, `word`. */
export const smallSources = {
  function:
    "class Valves { word: string = '' }\nclass UserValves { word: string = '' }\nexport class Filter { valves = new Valves(); inlet(body) { return body; } }\n",
  tool: "class Valves { word: string = '' }\nclass UserValves { word: string = '' }\nexport class Tools { valves = new Valves(); greet() { return 'hello'; } }\n",
} as const;

/** A JavaScript plugin put straight into the database, as saving `smallSources` leaves it. @returns its id */
export async function storePlugin(
  { db }: Pick<World, "db">,
  family: "function" | "tool",
  owner: { id: string; organizationId: string },
  values: Partial<typeof plugins.$inferInsert> = {},
): Promise<string> {
  const id = `p_${newId().replaceAll("-", "_")}`;
  const source = smallSources[family];
  const type = family === "function" ? "filter" : "tools";
  const info: PluginInfo = {
    type,
    language: "javascript",
    manifest: {},
    hooks: family === "function" ? ["inlet"] : [],
    specs:
      family === "tool" ? [{ name: "greet", description: "", parameters: { type: "object", properties: {} } }] : [],
    valvesSchema: schema,
    userValvesSchema: schema,
    valveDefaults: { word: "" },
    toggle: false,
    icon: null,
    fileHandler: false,
    pipes: null,
    namePrefix: "",
    actions: [],
  };
  const row: typeof plugins.$inferInsert = {
    family,
    id,
    userId: owner.id,
    organizationId: owner.organizationId,
    name: id,
    type,
    language: "javascript",
    source,
    code: source.replaceAll(": string", ""),
    version: 1,
    meta: {},
    info,
    hosts: [],
    fingerprint: newId(),
    createdAt: 1,
    updatedAt: 1,
    ...values,
  };
  await db.batch([
    db.insert(plugins).values(row),
    db.insert(pluginVersions).values({ family, pluginId: row.id, version: 1, source, userId: owner.id, createdAt: 1 }),
  ]);
  return row.id;
}
