import type { AppTexts } from "../../app-texts.ts";

export default {
  menu: "Tags …",
  label: "Tags",
  spoken: "Tags:",
  row: "Tags dieses Chats",
  edit: "Tags ändern",
  show: (name) => `Chats mit dem Tag ${name} anzeigen`,
  filter: {
    label: "Nur Chats mit diesem Tag",
    clear: (name) => `Nicht mehr nach ${name} filtern`,
    none: (name) => `Kein Chat hat den Tag „${name}“.`,
    noneFound: (query, name) => `Kein Chat mit dem Tag „${name}“ passt zu „${query}“.`,
  },
  dialog: {
    title: (name) => `Tags von „${name}“`,
    add: "Tag hinzufügen",
    addAction: "Hinzufügen",
    placeholder: "Ein oder zwei Wörter",
    none: "Dieser Chat hat noch keine Tags.",
    remove: (name) => `Tag ${name} entfernen`,
    known: "Ihre anderen Tags",
    addKnown: (name) => `Tag ${name} hinzufügen`,
    failed: "Die Tags konnten nicht geändert werden",
    loadFailed: "Die Tags konnten nicht geladen werden",
    added: (name) => `${name} hinzugefügt`,
    removed: (name) => `${name} entfernt`,
    done: "Fertig",
  },
} satisfies AppTexts["chat/tags"];
