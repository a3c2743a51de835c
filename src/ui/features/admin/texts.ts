/** What the rail of the administration says. */
export const texts = {
  back: "Back to chats",
  group: "Admin",
  overview: "Overview",
  people: "People",
  connections: "Connections",
  models: "Models",
  settings: "Settings",
  health: "Health",
};
