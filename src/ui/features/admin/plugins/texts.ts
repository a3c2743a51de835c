import type { Family, PluginType } from "./plugins-api.ts";

const number = new Intl.NumberFormat();
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

/** What the pages about functions and tools say. */
export const texts = {
  family: {
    function: {
      title: "Functions",
      sub: "Code that extends the service itself: models of your own, filters around every model, and buttons under answers.",
      add: "New function",
      list: "Functions",
      none: "There is no function yet. Start with an example, or paste one that was written for the peer: Python runs as it is.",
      one: "Function",
      back: "Functions",
    },
    tool: {
      title: "Tools",
      sub: "Code that models may call: each public method is a tool. Who may use a tool is decided by who it is shared with.",
      add: "New tool",
      list: "Tools",
      none: "There is no tool yet. Start with an example, or paste one that was written for the peer: Python runs as it is.",
      one: "Tool",
      back: "Tools",
    },
  } satisfies Record<Family, FamilyWords>,
  types: { pipe: "Model", filter: "Filter", action: "Button", tools: "Tools" } satisfies Record<PluginType, string>,
  languages: { javascript: "TypeScript", python: "Python" },
  columns: { name: "Name", type: "Kind", changed: "Changed", everywhere: "Everywhere", on: "On", actions: "Actions" },
  search: "Search",
  notFound: (query: string) => `Nothing here is called “${query}”.`,
  failed: "The list could not be loaded",
  switch: (name: string) => `Use ${name}`,
  everywhere: (name: string) => `Use ${name} with every model`,
  actionsFor: (name: string) => `Actions for ${name}`,
  menu: {
    edit: "Open",
    everywhere: "Use with every model",
    chosen: "Use with chosen models only",
    export: "Export as a file",
    delete: "Delete",
  },
  more: "More",
  exportAll: "Export all as a file",
  importFile: "Import a file",
  importUrl: "Load from an address",
  imported: (made: number, failed: number) =>
    failed === 0
      ? `${plural(made, "plugin is", "plugins are")} there now`
      : `${plural(made, "plugin is", "plugins are")} there now, ${number.format(failed)} could not be made`,
  importFailed: "The file could not be imported",
  importNotList: "This file holds no list of plugins.",
  on: (name: string) => `${name} is on`,
  off: (name: string) => `${name} is off`,
  changeFailed: (name: string) => `${name} could not be changed`,
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: "Its code, its earlier versions, its settings and what people set for themselves are deleted.",
  deleteAction: "Delete the plugin",
  deleted: (name: string) => `${name} is deleted`,
  hosts: "Network",
  url: {
    title: "Load from an address",
    label: "Address of the source",
    hint: "Such as a file on GitHub. It is opened in the editor; nothing runs before you save.",
    action: "Load",
    failed: "The source could not be loaded",
  },
  tabs: { code: "Code", valves: "Settings", access: "Sharing", try: "Try", versions: "Versions" },
  tabsLabel: "Parts of this plugin",
  edit: {
    notThere: "This plugin is not there (any more).",
    failed: "The plugin could not be loaded",
    name: "Name",
    id: "Id",
    idHint: "Letters, digits and underscores; it cannot be changed later.",
    idWrong: "Letters, digits and underscores, beginning with a letter.",
    nameMissing: "Give it a name.",
    description: "Description",
    hosts: "Hosts it may fetch from",
    hostsHint: "One on each line, such as api.weather.example or *.example.org. Without any it has no network.",
    source: "Source",
    start: "Start with",
    startEmpty: "Nothing",
    check: "Check",
    checking: "Checking the source",
    checked: (kind: string, what: string) => `This is ${kind}${what}. Nothing is wrong with it.`,
    kinds: { pipe: "a model", filter: "a filter", action: "a button", tools: "a set of tools" } satisfies Record<
      PluginType,
      string
    >,
    withTools: (names: string[]) => (names.length === 0 ? "" : `: ${names.join(", ")}`),
    problems: (count: number) => plural(count, "problem", "problems"),
    atLine: (line: number) => `Line ${number.format(line)}`,
    save: "Save",
    create: "Save and switch on later",
    saved: (version: number) => `Saved as version ${number.format(version)}`,
    notSaved: "Nothing was saved",
    unsaved: "Changed, not saved",
    version: (version: number) => `Version ${number.format(version)}`,
    keys: "Ctrl+S saves. In the editor, Escape and then Tab moves on.",
    conflict: "Somebody else has saved a newer version meanwhile. Copy your text, then load the page again.",
  },
  valves: {
    title: "Settings",
    sub: "What this plugin asks administrators for. Secrets are stored sealed.",
    none: "This plugin has no settings.",
    failed: "The settings could not be loaded",
    saved: "Settings saved",
    wrong: "Some settings are missing or wrong.",
  },
  access: {
    title: "Sharing",
    sub: "Who else may use this tool, and who may change it.",
    nobody: "Only its owner and administrators",
    saved: "Sharing saved",
  },
  try: {
    title: "Try it",
    sub: "Runs what is in the editor, saved or not, with the settings as they are. Nothing is stored and no tab is told.",
    method: "Function",
    methodNone: "Save or check the source first, so that its functions are known.",
    args: "Arguments (JSON)",
    argsWrong: "This is not a JSON object.",
    run: "Run",
    running: "Running",
    failed: "It could not be run",
    value: "Result",
    error: "It failed",
    logs: "Log",
    noLogs: "It logged nothing.",
    events: "Events",
    noEvents: "It sent no event.",
    took: (milliseconds: number) => `${number.format(milliseconds)} ms`,
  },
  versions: {
    title: "Versions",
    sub: "Every source that was saved. Restoring one makes it the newest.",
    columns: { version: "Version", when: "Saved", who: "By", actions: "Actions" },
    current: "Now",
    nobody: "Somebody who is gone",
    look: "Open in the editor",
    opened: (version: number) => `Version ${number.format(version)} is in the editor; save it to bring it back`,
    failed: "The versions could not be loaded",
  },
  packages: {
    title: "Packages",
    sub: "Python packages (wheels) that plugins may name under requirements. Only what is here is ever loaded; nothing is fetched from elsewhere.",
    upload: "Upload wheels",
    uploading: "Uploading",
    uploaded: (name: string) => `${name} is there`,
    uploadFailed: "The wheel could not be taken",
    failed: "The packages could not be loaded",
    none: "There is no package. Plugins find the standard library and stand-ins for pydantic, requests, aiohttp, httpx and loguru without any.",
    columns: { name: "Package", organization: "Organization", size: "Size", added: "Added", actions: "Actions" },
    hash: "SHA-256 of the file",
    delete: (name: string) => `Delete ${name}`,
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteText: "Plugins that require it stop working until it is there again.",
    deleteAction: "Delete the package",
    deleteFailed: (name: string) => `${name} could not be deleted`,
    deleted: (name: string) => `${name} is deleted`,
  },
};
