/** What the overview of the administration says. */
export const texts = {
  title: "Overview",
  sub: (name: string) => `How ${name} is doing, and what needs you.`,
  tiles: { people: "People", waiting: "Waiting", connections: "Connections", models: "Models" },
  attention: {
    title: "Needs you",
    none: "Nothing. All is well.",
    waiting: (count: number) =>
      count === 1 ? "1 person waits to be let in." : `${number.format(count)} people wait to be let in.`,
    waitingAction: "See who",
    down: (name: string) => `The connection ${name} does not answer.`,
    downAction: "Look at it",
    noConnection: "No model is connected. Until then only the built-in guide answers.",
    noConnectionAction: "Connect a model",
    noModels: "No model is listed, although there are connections. Nobody can chat right now.",
    noModelsAction: "See the connections",
    sick: (reason: string) => `The service is not healthy. ${reason}`,
    sickAction: "See health",
    webhook: "The service’s webhook was switched off: its receiver takes nothing any more.",
    webhookAction: "See why",
    onlyAdmin: "You are the only administrator. If you lose your password, nobody can let you in again.",
    onlyAdminAction: "Make another",
  },
  health: { title: "Health", more: "All levels" },
  failed: {
    people: "The people could not be counted",
    connections: "The connections could not be loaded",
  },
};

const number = new Intl.NumberFormat();
