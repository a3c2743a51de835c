import { inLanguage } from "../../../languages/app.ts";

/** Texts of the pages about a person's own connections. */
export const texts = inLanguage("settings/connections", {
  title: "Connections",
  sub: "Providers that you pay for yourself. Only you see and use their models.",
  add: "Add a connection",
  list: "Your connections",
  columns: { name: "Connection", state: "State", on: "On", actions: "Actions" },
  failed: "Your connections couldn't be loaded",
  none: "Connect a provider with a key of your own, and its models are in your list.",
  closed: "You may not use connections of your own now, so their models aren't listed. You can still delete them.",
  closedNone: "Connections of your own are switched off. An administrator can switch them on.",
  deleted: (name: string) => `The connection ${name} was deleted.`,
  deleteText: "Its models disappear from your list, and its key is deleted. Chats are kept.",
  edit: {
    newSub: "Enter the address and key, test them, and save. The key is stored encrypted and never shown again.",
    main: "Address and key",
    presetHint: "Fills in the address and the known differences of its API.",
    namePlaceholder: "My models",
    prefixHint: "Added before each model ID. Useful if two of your providers have models with the same name.",
    idHint: (prefix: string) =>
      `In the API, its models have IDs such as direct.${prefix === "" ? "" : `${prefix}.`}model-name.`,
    privacy:
      "What you write to these models goes to this provider. Its calls count in no quota here. Shared chats, channels and plugins of others can't use them.",
    dangerText: "Its models disappear from your list.",
  },
});
