import { inLanguage } from "../../../languages/app.ts";

/** Texts of the tags of chats. */
export const texts = inLanguage("chat/tags", {
  menu: "Tags …",
  label: "Tags",
  /** Before the names, for screen readers. */
  spoken: "Tags:",
  row: "Tags of this chat",
  edit: "Change the tags",
  show: (name: string) => `Show chats with the tag ${name}`,
  filter: {
    label: "Only chats with this tag",
    clear: (name: string) => `Stop filtering by ${name}`,
    none: (name: string) => `No chats have the tag “${name}”.`,
    noneFound: (query: string, name: string) => `No chats with the tag “${name}” match “${query}”.`,
  },
  dialog: {
    title: (name: string) => `Tags of “${name}”`,
    add: "Add a tag",
    addAction: "Add",
    placeholder: "A word or two",
    none: "This chat has no tags yet.",
    remove: (name: string) => `Remove the tag ${name}`,
    known: "Your other tags",
    addKnown: (name: string) => `Add the tag ${name}`,
    failed: "The tags couldn't be changed",
    loadFailed: "The tags couldn't be loaded",
    added: (name: string) => `${name} added`,
    removed: (name: string) => `${name} removed`,
    done: "Done",
  },
});
