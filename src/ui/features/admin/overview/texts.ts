import { inLanguage } from "../../../languages/admin.ts";
import { locale } from "../../../lib/language.ts";

/** Texts of the overview of the administration. */
export const texts = inLanguage("admin/overview", {
  title: "Overview",
  sub: (name: string) => `How ${name} is doing, and what needs your attention.`,
  tiles: { people: "People", waiting: "Waiting", connections: "Connections", models: "Models" },
  history: {
    title: "Over time",
    span: "Time span",
    spans: { hour: "Last hour", day: "Last 24 hours", week: "Last 7 days" },
    loading: "Loading the figures",
    failed: "The figures couldn't be loaded",
    empty: "No figures yet",
    emptyText: "The first figures appear within two minutes.",
    notKept: "Figures aren't recorded on this platform. Use its own analytics.",
    time: "Time",
    nothing: "not recorded",
    seconds: (count: string) => `${count} s`,
    label: (title: string, span: string) => `${title}. ${span}.`,
    plots: {
      requests: { title: "Requests", parts: { lower: "Answered", upper: "Failed" } },
      firstByte: { title: "Time to first word", parts: { lower: "Average" } },
      tokens: { title: "Tokens", parts: { lower: "Input", upper: "Output" } },
      jobs: { title: "Work in queues", parts: { lower: "Peak" } },
      people: { title: "People with the page open", parts: { lower: "Peak" } },
      disk: { title: "Disk", parts: { lower: "Used", upper: "Free" } },
    },
  },
  attention: {
    title: "Needs attention",
    none: "Nothing needs your attention.",
    unknown: "What needs your attention couldn't be checked.",
    waiting: (count: number) =>
      count === 1 ? "1 person is waiting for approval." : `${number.format(count)} people are waiting for approval.`,
    waitingAction: "View people",
    down: (name: string) => `The connection ${name} isn't responding.`,
    downAction: "View connection",
    noConnection: "No model is connected. Until then, only the built-in guide answers.",
    noConnectionAction: "Connect a model",
    noModels: "No models are listed, although there are connections. Nobody can chat right now.",
    noModelsAction: "View connections",
    sick: (reason: string) => `The service has a problem. ${reason}`,
    sickAction: "View health",
    webhook: "The service webhook was switched off because its receiver stopped accepting deliveries.",
    webhookAction: "See why",
    diskLow: (size: string) => `The disk is almost full: ${size} are free, and uploads are refused.`,
    backupLate: "A backup is late.",
    storageAction: "View storage",
    onlyAdmin: "You are the only administrator. If you lose your password, nobody can give you access again.",
    onlyAdminAction: "Add another administrator",
  },
  health: { title: "Health", more: "All checks" },
  failed: {
    people: "The people couldn't be counted",
    connections: "The connections couldn't be loaded",
  },
});

const number = new Intl.NumberFormat(locale);
