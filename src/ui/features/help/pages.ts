/** The pages of docs/ that Help shows, in its order. Each title is that of the page. */
export const helpGroups = [
  {
    title: "For everyone",
    pages: [
      { slug: "start", title: "First steps" },
      { slug: "chats", title: "Chats" },
      { slug: "documents", title: "Documents" },
      { slug: "memories", title: "Memories" },
      { slug: "channels", title: "Channels" },
      { slug: "troubleshooting", title: "When something does not work" },
    ],
  },
  {
    title: "For administrators",
    pages: [
      { slug: "models", title: "Models and connections" },
      { slug: "people", title: "People, groups and organizations" },
      { slug: "sign-in", title: "Sign-in and single sign-on" },
      { slug: "scim", title: "Provisioning with SCIM" },
      { slug: "data-life", title: "Data retention and erasure" },
      { slug: "keys-and-quotas", title: "Keys, usage and quotas" },
      { slug: "webhooks", title: "Webhooks" },
      { slug: "plugins", title: "Plugins" },
    ],
  },
  {
    title: "For developers",
    pages: [
      { slug: "api", title: "Using the API" },
      { slug: "endpoints", title: "API endpoints" },
    ],
  },
  {
    title: "For operators",
    pages: [
      { slug: "install", title: "Install" },
      { slug: "configuration", title: "Configuration" },
      { slug: "deploy", title: "Deploy" },
      { slug: "proxies", title: "Proxies" },
      { slug: "edge", title: "Deploy to Cloudflare" },
      { slug: "moving-in", title: "Moving in" },
      { slug: "operate", title: "Operate" },
      { slug: "backup", title: "Backups" },
      { slug: "start-messages", title: "Start messages" },
      { slug: "metrics", title: "Metrics" },
      { slug: "logs", title: "Logs" },
      { slug: "traces", title: "Traces" },
    ],
  },
] as const;

/** File names without their ending. */
export const helpSlugs: readonly string[] = helpGroups.flatMap(({ pages }) => pages.map(({ slug }) => slug));

/** Places of the app as the pages name them, in bold: `**Admin > People**`. Here they become links. */
export const places: Readonly<Record<string, string>> = {
  Knowledge: "/knowledge",
  "Settings > Profile": "/settings",
  "Settings > Password": "/settings/password",
  "Settings > Appearance": "/settings/appearance",
  "Settings > Sessions": "/settings/sessions",
  "Settings > API keys": "/settings/keys",
  "Settings > Memories": "/settings/memories",
  "Settings > Usage": "/settings/usage",
  "Settings > Storage": "/settings/storage",
  "Settings > Notifications": "/settings/notifications",
  "Settings > Your data": "/settings/data",
  "Settings > Tool servers": "/settings/tools",
  "Admin > Overview": "/admin",
  "Admin > People": "/admin/people",
  "Admin > Groups": "/admin/groups",
  "Admin > Organizations": "/admin/organizations",
  "Admin > Connections": "/admin/connections",
  "Admin > Models": "/admin/models",
  "Admin > Local models": "/admin/local-models",
  "Admin > Documents": "/admin/documents",
  "Admin > Functions": "/admin/functions",
  "Admin > Tools": "/admin/tools",
  "Admin > Packages": "/admin/packages",
  "Admin > Tool servers": "/admin/tool-servers",
  "Admin > API keys": "/admin/keys",
  "Admin > Single sign-on": "/admin/sso",
  "Admin > Provisioning": "/admin/scim",
  "Admin > Usage": "/admin/usage",
  "Admin > Storage": "/admin/storage",
  "Admin > Holds and erasures": "/admin/data",
  "Admin > Moving in": "/admin/moving-in",
  "Admin > Quotas": "/admin/quotas",
  "Admin > Webhooks": "/admin/webhooks",
  "Admin > Audit": "/admin/audit",
  "Admin > Settings": "/admin/settings",
  "Admin > Health": "/admin/health",
};
