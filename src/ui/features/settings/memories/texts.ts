import { inLanguage } from "../../../languages/app.ts";
import { locale } from "../../../lib/language.ts";

const count = new Intl.NumberFormat(locale);

/** Texts of the page of a person's memories. */
export const texts = inLanguage("settings/memories", {
  title: "Memories",
  sub: "What models should know about you in your chats. Nobody else sees it.",
  off: "Memories are switched off. Yours are kept, but models don't get them. Ask an administrator to switch them on.",
  notAllowed:
    "Your account isn't allowed to use memories. An administrator can give the permission “Use memories” to everyone or to one of your groups.",
  use: {
    title: "Use",
    memory: "Use memories in chats",
    memoryHint: "Models get those that fit what you ask. Not in channels and temporary chats.",
    tool: "Models may add memories",
    toolHint: "You see each new memory in the answer, and can undo it there.",
    failed: "Your settings couldn't be loaded",
    notStored: "The setting couldn't be saved",
  },
  card: "Your memories",
  search: "Search memories",
  failed: "Your memories couldn't be loaded",
  none: "Nothing is remembered yet. Add something that models should know, such as what you work on or how you like answers.",
  notFound: (query: string) => `No memory contains “${query}”.`,
  found: (n: number) => (n === 1 ? "1 memory" : `${count.format(n)} memories`),
  add: {
    label: "New memory",
    placeholder: "I work on tide tables and like short answers",
    action: "Add",
    missing: "Write what should be remembered.",
    failed: "The memory couldn't be added",
  },
  topic: { label: "Topic (optional)", placeholder: "work/harbour" },
  always: {
    label: "Always give it to models",
    hint: "Otherwise only where it fits the question",
    mark: "Always given",
  },
  edit: "Edit",
  editOf: (text: string) => ` the memory ${text}`,
  change: {
    label: "Memory",
    save: "Save",
    cancel: "Cancel",
    failed: "The memory couldn't be saved",
  },
  delete: "Delete",
  deleted: "The memory was deleted.",
  undo: "Undo",
  deleteFailed: "The memory couldn't be deleted",
  source: { you: "You", model: "A model", chat: "Open the chat" },
  changed: "Changed",
  made: "Added",
  all: {
    action: "Delete all",
    title: (n: number) => (n === 1 ? "Delete your memory?" : `Delete all ${count.format(n)} memories?`),
    text: "Models no longer know any of this. Deleted memories can't be restored.",
    confirm: "Delete all",
    failed: "The memories couldn't be deleted",
    done: "All memories were deleted.",
  },
});
