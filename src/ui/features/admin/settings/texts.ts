import { inLanguage } from "../../../languages/admin.ts";

/** Texts of the page of the service's settings; titles and descriptions of single settings come from the service. */
export const texts = inLanguage("admin/settings", {
  title: "Settings",
  sub: "Settings for everyone. Values set by environment variables are shown here but can only be changed there.",
  failed: "The settings couldn't be loaded",
  sections: {
    general: { title: "General", sub: "Name, address and pictures of other sites." },
    accounts: { title: "Accounts", sub: "Who can sign up and sign in, and for how long." },
    retention: {
      title: "Data retention",
      sub: "How many days to keep data, for organizations without periods of their own. 0 keeps data forever.",
    },
    limits: { title: "Limits", sub: "How much a person, an organization and the service can have. 0 means no limit." },
    keys: { title: "API keys", sub: "Whether scripts can act for people, and what they can reach." },
    sso: { title: "Single sign-on", sub: "Set when the service starts." },
    scim: { title: "Provisioning", sub: "Set when the service starts." },
    chat: { title: "Chat", sub: "What happens alongside an answer." },
    models: { title: "Models", sub: "Who sees which models, and which one is the default." },
    documents: { title: "Documents", sub: "What can be uploaded, and how files are read." },
    retrieval: { title: "Search in documents", sub: "How passages are created and found." },
    channels: { title: "Channels", sub: "Where people, bots and models talk to each other." },
    connections: { title: "Connections", sub: "How providers are called." },
    network: { title: "Network", sub: "Which addresses Parley can call." },
    service: { title: "Service", sub: "Set when the service starts." },
  } as Record<string, { title: string; sub: string }>,
  /** Sections that have a page of their own. */
  elsewhere: {
    keys: { text: "These settings are on the API keys page.", href: "/admin/keys", action: "Open API keys" },
    sso: {
      text: "Set when the service starts. See the single sign-on page for providers and their variables.",
      href: "/admin/sso",
      action: "Open single sign-on",
    },
    documents: {
      text: "These settings are on the documents page.",
      href: "/admin/documents",
      action: "Open documents",
    },
    retrieval: {
      text: "These settings are on the documents page.",
      href: "/admin/documents",
      action: "Open documents",
    },
    scim: {
      text: "Set when the service starts. See the provisioning page for its state.",
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
    none: "No variables are set. All have their defaults.",
    all: (count: number) => `Show all ${count} variables`,
  },
  locked: (name: string) => `Set by the environment (${name}).`,
  hidden: "Never shown",
  lines: "One per line.",
  choices: {
    pending: "Waiting, until an administrator approves them",
    user: "Member immediately",
    everyone: "Everyone who is signed in",
    admins: "Administrators only",
    ask: "After a click",
    show: "At once",
    link: "Never: a link stands there",
    dev: "dev",
    prod: "prod",
  } as Record<string, string>,
  notNumber: "Enter a number.",
  notSaved: "The settings couldn't be saved",
  saved: (section: string) => `${section}: saved. The changes apply now.`,
});
