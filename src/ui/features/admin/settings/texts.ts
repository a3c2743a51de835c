/** What the page of the service's settings says; titles and descriptions of single settings come from the service. */
export const texts = {
  title: "Settings",
  sub: "How this Parley behaves for everyone. What the environment sets is shown, but can only be changed there.",
  failed: "The settings could not be loaded",
  sections: {
    general: { title: "General", sub: "Name and address." },
    accounts: { title: "Accounts", sub: "Who gets in, and for how long." },
    keys: { title: "API keys", sub: "Whether scripts may act for people, and what they reach." },
    sso: { title: "Single sign-on", sub: "Set when the service starts." },
    scim: { title: "Provisioning", sub: "Set when the service starts." },
    chat: { title: "Chat", sub: "What happens beside an answer." },
    models: { title: "Models", sub: "Who sees which models, and which one comes first." },
    documents: { title: "Documents", sub: "What may be uploaded, and who reads it." },
    retrieval: { title: "Search in documents", sub: "How passages are made and found." },
    channels: { title: "Channels", sub: "Where people, bots and models write to each other." },
    connections: { title: "Connections", sub: "How providers are called." },
    network: { title: "Network", sub: "What may be called from here." },
    service: { title: "Service", sub: "Set when the service starts." },
  } as Record<string, { title: string; sub: string }>,
  /** Sections that have a page of their own. */
  elsewhere: {
    keys: { text: "These settings stand beside the keys themselves.", href: "/admin/keys", action: "Open API keys" },
    sso: {
      text: "Set when the service starts. The providers and their variables stand on a page of their own.",
      href: "/admin/sso",
      action: "Open single sign-on",
    },
    documents: {
      text: "What may be uploaded, and who reads it, stands on a page of its own.",
      href: "/admin/documents",
      action: "Open documents",
    },
    retrieval: {
      text: "How passages are made and found stands on a page of its own.",
      href: "/admin/documents",
      action: "Open documents",
    },
    scim: {
      text: "Set when the service starts. What it comes to stands on a page of its own.",
      href: "/admin/scim",
      action: "Open provisioning",
    },
  } as Record<string, { text: string; href: string; action: string } | undefined>,
  /** The table of what the environment sets. */
  environment: {
    title: "Variables",
    columns: { setting: "Setting", variable: "Variable", value: "Value" },
    on: "on",
    off: "off",
    empty: "empty",
    none: "None is set; all are as they come.",
    all: (count: number) => `Show all ${count} variables`,
  },
  locked: (name: string) => `Set by the environment (${name}).`,
  hidden: "Never shown",
  lines: "One on each line.",
  choices: {
    pending: "Waiting, until an administrator lets them in",
    user: "Member at once",
    everyone: "Everyone who is signed in",
    admins: "Administrators only",
    dev: "dev",
    prod: "prod",
  } as Record<string, string>,
  notNumber: "This has to be a number.",
  notSaved: "The settings were not saved",
  saved: (section: string) => `${section}: saved. It applies from now on.`,
};
