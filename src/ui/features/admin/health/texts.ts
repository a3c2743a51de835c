/** What the page about health says, and the health part of the overview. */
export const texts = {
  title: "Health",
  sub: "The same three questions that a monitor asks, asked now from this browser.",
  again: "Check again",
  copy: "Copy",
  levels: {
    1: { name: "Service and database", how: "GET /health" },
    2: { name: "Models are listed", how: "GET /api/models" },
    3: { name: "A model answers", how: "POST /api/chat/completions" },
  },
  state: { waiting: "Checking", ok: "Good", failed: "Failed", idle: "Not asked yet" },
  reasons: {
    database_unreachable: "The database does not answer. Nobody can sign in or read chats until it does.",
    database_slow: "The database needs more than 1.5 seconds for its answer.",
    schema_outdated: "The database has an older schema than this version needs. Run the migrations.",
  } as Record<string, string>,
  noAnswer: "The service does not answer.",
  models: (count: number) => (count === 1 ? "1 model" : `${new Intl.NumberFormat().format(count)} models`),
  noModels: "No model is listed: every provider is unreachable, or none is connected.",
  unreachable: (names: string) => `Does not answer: ${names}.`,
  ask: "Ask a model",
  model: "Model",
  question: "Answer with one word: ready",
  answered: (answer: string) => `It answered: “${answer}”`,
  empty: "The model answered with nothing.",
  levelThreeHint: "This sends one short question to the model; a provider may charge for it.",
  time: (milliseconds: number) => `${new Intl.NumberFormat().format(Math.round(milliseconds))} ms`,
  monitor: {
    title: "For your monitor",
    text: "The command below runs all three levels from outside; its exit code is the first level that failed. Make an account of its own for it.",
  },
  version: (version: string) => `Version ${version}`,
};
