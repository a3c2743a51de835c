import { inLanguage } from "../../../../languages/admin.ts";
import { locale } from "../../../../lib/language.ts";

const number = new Intl.NumberFormat(locale);
const list = new Intl.ListFormat(locale, { type: "conjunction" });
const percent = new Intl.NumberFormat(locale, { style: "percent" });
const packages = (count: number) => `${number.format(count)} ${count === 1 ? "package" : "packages"}`;

/** Texts about packages that are fetched from registries. */
export const texts = inLanguage("admin/plugin-packages", {
  open: "Get packages",
  title: "Get packages",
  names: "Packages",
  namesHint: "Names as plugins import or require them, such as bs4 or openai>=1, separated by commas.",
  namesMissing: "Enter at least one package.",
  from: (hosts: string[]) => `They come from ${list.format(hosts)}. Nothing is downloaded until you agree.`,
  find: "Find packages",
  finding: "Finding what they need",
  findFailed: "The packages couldn't be found",
  offer: (names: string[]) => `This source needs packages that aren't here: ${list.format(names)}.`,
  offerFound: (names: string[]) => `The plugins below need packages that aren't here: ${list.format(names)}.`,
  offerFailure: (name: string) => `The package ${name} is missing.`,
  planned: (count: number, size: string) => `${packages(count)}, ${size}`,
  nothing: "Everything is there already.",
  present: (names: string[]) => `Already there: ${list.format(names)}`,
  neededBy: (names: string[]) => `Needed by ${list.format(names)}`,
  sizeUnknown: "Unknown size",
  license: (license: string) => `License: ${license}`,
  licenseUnknown: "No license stated",
  registry: (host: string) => `From ${host}`,
  replaces: (version: string) => `Replaces version ${version}`,
  looksLike: (name: string) => `The name looks like ${name}. Check that it is the package you want.`,
  take: (count: number) => `Download ${packages(count)}`,
  takeFailed: "The download couldn't be started",
  back: "Back",
  running: "Downloading packages",
  progress: (completed: string, total: string, share: number) => `${completed} of ${total} (${percent.format(share)})`,
  waiting: "Waiting to start",
  goesOn: "You can close this window. The download continues.",
  stop: "Stop",
  stopFailed: "The download couldn't be stopped",
  done: (count: number) => `${packages(count)} added`,
  failed: "The packages couldn't be downloaded",
  stopped: "The download was stopped. Nothing was added.",
  listTitle: "Downloads",
  states: { planned: "Planned", running: "Running", done: "Done", failed: "Failed", stopped: "Stopped" },
  forget: (name: string) => `Remove ${name} from the list`,
  stopOne: (name: string) => `Stop downloading ${name}`,
  changeFailed: "The download couldn't be changed",
});
