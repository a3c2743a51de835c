import { inLanguage } from "../../../languages/admin.ts";
import { locale } from "../../../lib/language.ts";

const number = new Intl.NumberFormat(locale);

/** Texts of the administrators' page about API keys. */
export const texts = inLanguage("admin/keys", {
  title: "API keys",
  sub: "Keys let scripts and programs act for people. Decide who can have keys, what keys can reach, and revoke keys.",
  settings: { title: "What keys can do", sub: "Applies to everyone's keys from the next call." },
  settingsFailed: "The settings couldn't be loaded",
  endpointsFailed: "The list of endpoints couldn't be loaded. Entries are not checked until it is",
  who: "While keys are on, administrators can have them. Others need the permission “Use API keys”:",
  whoEveryone: "for everyone",
  whoGroups: "or for a group",
  card: "Keys",
  table: "API keys",
  search: "Search key, name or e-mail",
  columns: { key: "Key", owner: "Owner", lastUsed: "Last used", made: "Created", actions: "Actions" },
  never: "Never",
  ends: "Works until",
  ended: "Ended",
  unnamed: "Without a name",
  failed: "The keys couldn't be loaded",
  moreFailed: "More keys couldn't be loaded",
  none: "Nobody has created a key yet.",
  noneOff: "Nobody has a key. People can create keys after you switch API keys on.",
  notFound: (query: string) => `No keys match “${query}”.`,
  noneOfPerson: "This person has no keys.",
  ofPerson: (name: string) => `Keys of ${name}`,
  everyone: "Show everyone's keys",
  actionsFor: (key: string, owner: string) => `Actions for the key ${key} of ${owner}`,
  menu: {
    one: "Revoke this key",
    person: (name: string) => `Revoke all keys of ${name}`,
    only: (name: string) => `Show only keys of ${name}`,
    audit: "View in the audit log",
  },
  revokeAll: "Revoke all keys",
  ask: {
    one: {
      title: (key: string, owner: string) => `Revoke the key ${key} of ${owner}?`,
      text: "Everything that uses it stops working immediately. It can't be restored, but the owner can create a new one.",
      action: "Revoke key",
    },
    person: {
      title: (name: string) => `Revoke all keys of ${name}?`,
      text: (name: string) =>
        `Every script and program that acts as ${name} stops working immediately. The keys can't be restored.`,
      action: "Revoke their keys",
    },
    all: {
      title: "Revoke everyone's keys?",
      text: (count: number) =>
        `${count === 1 ? "One key stops" : `All ${number.format(count)} keys stop`} working immediately, and so does every script and program that uses them, including yours. They can't be restored.`,
      action: "Revoke all keys",
      word: "revoke all",
    },
    failed: "The keys couldn't be revoked",
  },
  done: {
    one: (key: string) => `The key ${key} was revoked.`,
    many: (count: number) => (count === 1 ? "1 key was revoked." : `${number.format(count)} keys were revoked.`),
  },
  endpoints: {
    hint: "What keys can reach while the restriction is on.",
    add: "Add an endpoint",
    addHint:
      "A path such as /api/models, with or without a method. /* includes everything below. You can paste a list.",
    addAction: "Add",
    none: "No endpoints are listed.",
    list: "Allowed endpoints",
    remove: (entry: string) => `Remove ${entry}`,
    wrong: {
      form: "Enter a path that starts with a slash, with or without a method before it.",
      unknown: "This endpoint doesn't exist, so the entry allows nothing.",
    },
    useInstead: (entry: string) => `Use ${entry}`,
    lets: (count: number) => (count === 1 ? "1 endpoint" : `${number.format(count)} endpoints`),
    notInForce: "The restriction is off: keys can reach every endpoint.",
    emptyInForce: "The restriction is on and the list is empty: keys can't reach anything.",
  },
});
