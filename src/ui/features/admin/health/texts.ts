import { inLanguage } from "../../../languages/admin.ts";
import { locale } from "../../../lib/language.ts";

const number = new Intl.NumberFormat(locale);
const list = new Intl.ListFormat(locale, { type: "conjunction" });

/** Texts of the page about health, and the health part of the overview. */
export const texts = inLanguage("admin/health", {
  title: "Health",
  sub: "The same three checks that a monitor runs, run now from this browser.",
  again: "Check again",
  copy: "Copy",
  levels: {
    1: { name: "Service and database", how: "GET /health" },
    2: { name: "Models are listed", how: "GET /api/models" },
    3: { name: "A model answers", how: "POST /api/chat/completions" },
  },
  state: { waiting: "Checking", ok: "OK", failed: "Failed", idle: "Not checked yet" },
  reasons: {
    database_unreachable: "The database isn't responding. Nobody can sign in or read chats until it does.",
    database_slow: "The database takes more than 1.5 seconds to respond.",
    schema_outdated: "The database has an older schema than this version needs. Run the migrations.",
  } as Record<string, string>,
  noAnswer: "The service isn't responding.",
  models: (count: number) => (count === 1 ? "1 model" : `${new Intl.NumberFormat(locale).format(count)} models`),
  noModels: "No model is listed: every provider is unreachable, or none is connected.",
  unreachable: (names: string) => `Not responding: ${names}.`,
  ask: "Ask a model",
  model: "Model",
  question: "Answer with one word: ready",
  answered: (answer: string) => `It answered: “${answer}”`,
  empty: "The model sent an empty answer.",
  levelThreeHint: "This sends one short question to the model. A provider may charge for it.",
  time: (milliseconds: number) => `${new Intl.NumberFormat(locale).format(Math.round(milliseconds))} ms`,
  monitor: {
    title: "For your monitor",
    text: "The command below runs all three checks from outside. Its exit code is the number of the first check that failed. Create a separate account for it.",
  },
  runners: {
    title: "Native runners",
    ready: "Ready",
    failed: "Not ready",
    problems: {
      unreachable: "It doesn't respond.",
      token: "It has a different RUNNER_TOKEN.",
      answer: "It doesn't answer like a runner.",
      protocol: "Its version doesn't match this service.",
      detached: "RUNNERS doesn't name it anymore, so its plugins don't run.",
    },
    wall: "Its plugins reach the network only through the guarded proxy.",
    noWall: (why: string) =>
      `Its plugins can bypass the guarded proxy, because the system doesn't give them a network of their own: ${why}`,
    state: (version: string, used: number, max: number) =>
      `Python ${version}, ${number.format(used)} of ${number.format(max)} processes in use`,
    plugins: (names: string[]) => `Plugins: ${list.format(names)}`,
    noPlugins: "No plugin runs here.",
  },
  version: (version: string) => `Version ${version}`,
});
