import { inLanguage } from "../../../languages/admin.ts";
import { locale } from "../../../lib/language.ts";

const number = new Intl.NumberFormat(locale);
const share = new Intl.NumberFormat(locale, { style: "percent" });

/** Texts of the page about local models. */
export const texts = inLanguage("admin/local-models", {
  title: "Local models",
  sub: "The models on your local runtimes, and which are loaded in memory.",
  failed: "The runtimes couldn't be reached",
  none: "No local runtime is connected. Connect one to manage its models here.",
  connect: "Connect a runtime",
  pull: "Download a model",
  list: (runtime: string) => `Models of ${runtime}`,
  empty: "This runtime has no models yet.",
  version: (version: string) => `Version ${version}`,
  away: (name: string) => `${name} isn't responding`,
  listsOnly: "This runtime only lists its models. It can't download or delete them.",
  tiles: { models: "Models", size: "On disk", loaded: "In memory" },
  columns: { name: "Model", size: "Size", loaded: "In memory", changed: "Changed", actions: "Actions" },
  unknown: "–",
  loaded: "Loaded",
  onCard: (part: number) => (part >= 1 ? "GPU" : part <= 0 ? "CPU" : `${share.format(part)} on the GPU`),
  stays: "stays in memory",
  actionsFor: (name: string) => `Actions for ${name}`,
  menu: {
    update: "Update",
    copy: "Copy…",
    create: "Create a model from it…",
    unload: "Unload from memory",
    delete: "Delete…",
  },
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: (runtime: string) =>
    `Its files are deleted from ${runtime}, and nobody can use it any more. Chats are kept. To use it again, download it again.`,
  deleteAction: "Delete the model",
  deleteFailed: (name: string) => `${name} couldn't be deleted`,
  done: {
    deleted: (name: string) => `${name} was deleted.`,
    copied: (name: string) => `${name} was created.`,
    unloaded: (name: string) => `${name} was unloaded from memory.`,
  },
  unloadFailed: (name: string) => `${name} couldn't be unloaded`,
  pulls: {
    title: "Downloads",
    progress: (model: string) => `Download of ${model}`,
    amount: (done: string, total: string, part: number) => `${done} of ${total} (${share.format(part)})`,
    states: { running: "In progress", done: "Done", failed: "Failed", stopped: "Stopped" },
    on: (runtime: string) => `on ${runtime}`,
    gone: "a removed runtime",
    waiting: "Waiting for the runtime",
    stop: (model: string) => `Stop the download of ${model}`,
    again: (model: string) => `Download ${model} again`,
    forget: (model: string) => `Remove ${model} from the list`,
    failed: "The downloads couldn't be loaded",
    changeFailed: "The download couldn't be changed",
    arrived: (model: string) => `${model} is ready.`,
    running: (count: number) => `${number.format(count)} ${count === 1 ? "download" : "downloads"} in progress`,
  },
  pullDialog: {
    title: "Download a model",
    runtime: "Runtime",
    model: "Model",
    hint: "Its name in the runtime's library, such as llama3.2 or qwen3:4b. The download continues when you leave this page.",
    missing: "Enter the name of a model.",
    action: "Download",
    failed: "The download couldn't be started",
  },
  copyDialog: {
    title: (name: string) => `Copy ${name}`,
    name: "Name of the copy",
    missing: "Enter a name for the copy.",
    action: "Copy",
    failed: "The model couldn't be copied",
  },
  createDialog: {
    title: (name: string) => `Create a model from ${name}`,
    name: "Name",
    missing: "Enter a name.",
    system: "Instructions",
    systemHint:
      "Instructions the model gets before every conversation. They are stored in the model on the runtime, so they also apply outside Parley.",
    action: "Create model",
    failed: "The model couldn't be created",
  },
});
