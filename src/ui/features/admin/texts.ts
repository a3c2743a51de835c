/** What the rail of the administration says. */
export const texts = {
  back: "Back to chats",
  group: "Admin",
  overview: "Overview",
  people: "People",
  groups: "Groups",
  organizations: "Organizations",
  connections: "Connections",
  models: "Models",
  keys: "API keys",
  sso: "Single sign-on",
  scim: "Provisioning (SCIM)",
  audit: "Audit",
  settings: "Settings",
  health: "Health",
};
