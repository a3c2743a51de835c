const number = new Intl.NumberFormat();

/** What the administrators' page about API keys says. */
export const texts = {
  title: "API keys",
  sub: "Scripts and programs that act for people: whether they may, what they reach, and which keys there are.",
  settings: { title: "What keys may do", sub: "For everyone’s keys, from the next call on." },
  settingsFailed: "The settings could not be loaded",
  endpointsFailed: "The list of endpoints could not be loaded; entries are not checked until it is",
  who: "While keys are on, administrators may have them. Others need the permission “API keys”:",
  whoEveryone: "for everyone",
  whoGroups: "or for a group",
  card: "Keys",
  table: "API keys",
  search: "Search key, name or e-mail",
  columns: { key: "Key", owner: "Owner", lastUsed: "Last used", made: "Made", actions: "Actions" },
  never: "Never",
  unnamed: "Without a name",
  count: (shown: number, total: number) => `${number.format(shown)} of ${number.format(total)}`,
  more: "Show more",
  failed: "The keys could not be loaded",
  moreFailed: "More keys could not be loaded",
  none: "Nobody has made a key yet.",
  noneOff: "Nobody has a key. People can make them after you switch API keys on.",
  notFound: (query: string) => `No key, name or e-mail has “${query}” in it.`,
  noneOfPerson: "This person has no keys.",
  ofPerson: (name: string) => `Keys of ${name}`,
  everybody: "Show everybody’s keys",
  actionsFor: (key: string, owner: string) => `Actions for the key ${key} of ${owner}`,
  menu: {
    one: "Revoke this key",
    person: (name: string) => `Revoke all keys of ${name}`,
    only: (name: string) => `Show only keys of ${name}`,
    audit: "What happened with this key",
  },
  revokeAll: "Revoke all keys",
  ask: {
    one: {
      title: (key: string, owner: string) => `Revoke the key ${key} of ${owner}?`,
      text: "Whatever uses it is refused from its next call on. It cannot be brought back; the owner can make a new one.",
      action: "Revoke key",
    },
    person: {
      title: (name: string) => `Revoke all keys of ${name}?`,
      text: (name: string) =>
        `Every script and program that acts as ${name} is refused from its next call on. The keys cannot be brought back.`,
      action: "Revoke their keys",
    },
    all: {
      title: "Revoke all keys of everybody?",
      text: (count: number) =>
        `${count === 1 ? "One key stops" : `All ${number.format(count)} keys stop`} working at once, and with them every script and program of everybody, also yours. They cannot be brought back.`,
      action: "Revoke all keys",
      word: "revoke all",
    },
    failed: "The keys were not revoked",
  },
  done: {
    one: (key: string) => `The key ${key} is revoked.`,
    many: (count: number) => (count === 1 ? "1 key is revoked." : `${number.format(count)} keys are revoked.`),
  },
  endpoints: {
    hint: "What keys reach while the restriction is on.",
    add: "Add an endpoint",
    addHint:
      "A path such as /api/models, with or without a method. /* means everything below; a pasted list is taken apart.",
    addAction: "Add",
    none: "No endpoint is listed.",
    list: "Allowed endpoints",
    remove: (entry: string) => `Remove ${entry}`,
    wrong: {
      form: "This is no endpoint: it begins with a slash, after a method or without one.",
      unknown: "There is no such endpoint, so it lets nothing through.",
    },
    useInstead: (entry: string) => `Use ${entry}`,
    lets: (count: number) => (count === 1 ? "1 endpoint" : `${number.format(count)} endpoints`),
    notInForce: "The restriction is off: keys reach every endpoint for now.",
    emptyInForce: "The restriction is on and the list is empty: keys reach nothing.",
  },
};
