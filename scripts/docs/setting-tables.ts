import { definitions } from "../../src/compose/settings.ts";
import type { Definition } from "../../src/settings/definition.ts";
import { settingSections } from "../../src/settings/schema.ts";
import { plain, table } from "./table.ts";

/** Headings of the page, which others link to. */
const headings: Readonly<Record<(typeof settingSections)[number], string>> = {
  general: "General",
  accounts: "Accounts",
  retention: "Keeping data",
  limits: "Limits",
  mail: "E-mail",
  keys: "API keys",
  sso: "Single sign-on",
  scim: "Provisioning",
  chat: "Chats and titles",
  channels: "Channels",
  models: "Models and usage",
  documents: "Documents",
  retrieval: "Search in documents",
  web: "Web search",
  images: "Pictures by models",
  audio: "Voice",
  plugins: "Plugins",
  tools: "Tools",
  connections: "Connections",
  network: "Network",
  service: "Mode of the service",
};

/** Every setting, one table for each section of the settings page. */
export function settingTables(): string {
  const all: [string, Definition][] = Object.entries(definitions);
  return settingSections
    .map((section) => {
      const rows = all.filter(([, definition]) => definition.section === section).map(rowOf);
      return `## ${headings[section]}\n\n${table(["variable", "default", "meaning"], rows)}`;
    })
    .join("\n\n");
}

function rowOf([name, definition]: [string, Definition]): string[] {
  const { aliases = [], title, description, where, options } = definition;
  const notes = [
    `**${plain(title)}.** ${plain(description)}`,
    options ? `One of ${options.map((option) => (option === "" ? "empty" : `\`${option}\``)).join(", ")}.` : "",
    aliases.length > 0 ? `Also read as ${aliases.map((alias) => `\`${alias}\``).join(", ")}.` : "",
    where === "environment" ? "*Environment only.*" : "",
  ];
  return [`\`${name}\``, shownDefault(definition.default), notes.filter(Boolean).join(" ")];
}

function shownDefault(value: unknown): string {
  const text = Array.isArray(value) ? value.join(",") : String(value ?? "");
  return text === "" ? "none" : `\`${text}\``;
}
