import { inLanguage } from "../../../languages/admin.ts";
import { locale } from "../../../lib/language.ts";
import type { Family, PluginType } from "./plugins-api.ts";

const number = new Intl.NumberFormat(locale);
const plural = (count: number, one: string, many: string) => `${number.format(count)} ${count === 1 ? one : many}`;

interface FamilyWords {
  title: string;
  sub: string;
  add: string;
  list: string;
  none: string;
  one: string;
  back: string;
}

/** Texts of the pages about functions and tools. */
export const texts = inLanguage("admin/plugins", {
  family: {
    function: {
      title: "Functions",
      sub: "Code that extends the service: your own models, filters for all models, and buttons under answers.",
      add: "New function",
      list: "Functions",
      none: "No functions yet. Start with an example, or paste one written for Open WebUI: Python runs unchanged.",
      one: "Function",
      back: "Functions",
    },
    tool: {
      title: "Tools",
      sub: "Code that models can call. Each public method is a tool. Share a tool to let other people use it.",
      add: "New tool",
      list: "Tools",
      none: "No tools yet. Start with an example, or paste one written for Open WebUI: Python runs unchanged.",
      one: "Tool",
      back: "Tools",
    },
  } satisfies Record<Family, FamilyWords>,
  areOff:
    "Plugins are switched off: none of these run. An administrator can switch them on in the settings (Run plugins).",
  types: { pipe: "Model", filter: "Filter", action: "Button", tools: "Tools" } satisfies Record<PluginType, string>,
  languages: { javascript: "TypeScript", python: "Python" },
  columns: { name: "Name", type: "Kind", changed: "Changed", everywhere: "All models", on: "On", actions: "Actions" },
  search: "Search",
  notFound: (query: string) => `Nothing matches “${query}”.`,
  failed: "The list couldn't be loaded",
  switch: (name: string) => `Use ${name}`,
  everywhere: (name: string) => `Use ${name} with every model`,
  actionsFor: (name: string) => `Actions for ${name}`,
  menu: {
    edit: "Open",
    everywhere: "Use with every model",
    chosen: "Use with selected models only",
    export: "Export as a file",
    delete: "Delete",
  },
  more: "More",
  exportAll: "Export all as a file",
  exportAllWithSettings: "Export all with settings and keys",
  on: (name: string) => `${name} is on`,
  off: (name: string) => `${name} is off`,
  changeFailed: (name: string) => `${name} couldn't be changed`,
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: "Its code, its earlier versions, its settings and what people set for themselves are deleted.",
  deleteAction: "Delete the plugin",
  deleted: (name: string) => `${name} was deleted`,
  hosts: "Network",
  native: "Runs natively",
  tabs: { code: "Code", valves: "Settings", access: "Sharing", try: "Try", versions: "Versions" },
  tabsLabel: "Parts of this plugin",
  edit: {
    notThere: "This plugin doesn't exist.",
    failed: "The plugin couldn't be loaded",
    name: "Name",
    id: "ID",
    idHint: "Letters, digits and underscores. It can't be changed later.",
    idWrong: "Use letters, digits and underscores, and start with a letter.",
    nameMissing: "Enter a name.",
    description: "Description",
    place: "Where it runs",
    sandbox: "In the sandbox",
    natively: (runner: string) => `Natively on ${runner}`,
    nativeWarning:
      "Runs as trusted code, outside the sandbox: it can do whatever the runner's system allows. Only administrators can change it.",
    hosts: "Allowed hosts",
    hostsHint:
      "One per line, such as api.weather.example or *.example.org. A line with only * allows every public address. If empty, the plugin has no network access.",
    source: "Source",
    start: "Start with",
    startEmpty: "An empty file",
    check: "Check",
    checking: "Checking the source",
    checked: (kind: string, what: string) => `This is ${kind}${what}. No problems found.`,
    kinds: { pipe: "a model", filter: "a filter", action: "a button", tools: "a set of tools" } satisfies Record<
      PluginType,
      string
    >,
    withTools: (names: string[]) => (names.length === 0 ? "" : `: ${names.join(", ")}`),
    problems: (count: number) => plural(count, "problem", "problems"),
    atLine: (line: number) => `Line ${number.format(line)}`,
    save: "Save",
    create: "Save without switching on",
    saved: (version: number) => `Saved as version ${number.format(version)}`,
    notSaved: "The plugin couldn't be saved",
    unsaved: "Changed, not saved",
    version: (version: number) => `Version ${number.format(version)}`,
    keys: "Ctrl+S saves. To leave the editor, press Escape and then Tab.",
    conflict: "Someone else saved a newer version. Copy your text, then reload the page.",
  },
  valves: {
    title: "Settings",
    sub: "Settings of this plugin for administrators. Secrets are stored encrypted.",
    none: "This plugin has no settings.",
    failed: "The settings couldn't be loaded",
    saved: "Settings saved",
    wrong: "Some settings are missing or invalid.",
  },
  access: {
    title: "Sharing",
    sub: "Who else can use this tool, and who can change it.",
    nobody: "Only its owner and administrators",
    foreign:
      "Until an administrator owns it and has saved its code, this tool runs with few rights for everyone else. It sees their name and e-mail address and the chat it's used in. It can't see other people or other chats, and can't ask for passwords.",
    saved: "Sharing saved",
  },
  try: {
    title: "Try it",
    sub: "Runs the code in the editor, saved or not, with the current settings. Nothing is stored or sent to open tabs.",
    method: "Function",
    methodNone: "Save or check the source first to list its functions.",
    args: "Arguments (JSON)",
    argsWrong: "This is not a JSON object.",
    run: "Run",
    running: "Running",
    failed: "The code couldn't be run",
    value: "Result",
    error: "Error",
    logs: "Log",
    noLogs: "No log output.",
    events: "Events",
    noEvents: "No events were sent.",
    took: (milliseconds: number) => `${number.format(milliseconds)} ms`,
  },
  versions: {
    title: "Versions",
    sub: "Every saved version. Restoring one makes it the newest.",
    columns: { version: "Version", when: "Saved", who: "By", actions: "Actions" },
    current: "Current",
    nobody: "A deleted account",
    look: "Open in the editor",
    opened: (version: number) => `Version ${number.format(version)} is in the editor. Save it to restore it`,
    failed: "The versions couldn't be loaded",
  },
  packages: {
    title: "Packages",
    sub: "Python packages (wheels) that plugins can import. They are uploaded here, or downloaded from registries that an administrator allows in the settings.",
    upload: "Upload wheels",
    uploading: "Uploading",
    uploaded: (name: string) => `${name} was uploaded`,
    uploadFailed: "The wheel couldn't be uploaded",
    failed: "The packages couldn't be loaded",
    none: "No packages yet. Without any, plugins can use the standard library, pydantic, requests, aiohttp, httpx and others that are built in.",
    columns: { name: "Package", organization: "Organization", size: "Size", added: "Added", actions: "Actions" },
    hash: "SHA-256 of the file",
    delete: (name: string) => `Delete ${name}`,
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteText: "Plugins that require it stop working until it is uploaded again.",
    deleteAction: "Delete the package",
    deleteFailed: (name: string) => `${name} couldn't be deleted`,
    deleted: (name: string) => `${name} was deleted`,
  },
});
