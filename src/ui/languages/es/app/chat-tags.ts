import type { AppTexts } from "../../app-texts.ts";

export default {
  menu: "Etiquetas…",
  label: "Etiquetas",
  /** Before the names, for screen readers. */
  spoken: "Etiquetas:",
  row: "Etiquetas de este chat",
  edit: "Cambiar las etiquetas",
  show: (name) => `Mostrar los chats con la etiqueta ${name}`,
  filter: {
    label: "Solo chats con esta etiqueta",
    clear: (name) => `Dejar de filtrar por ${name}`,
    none: (name) => `Ningún chat tiene la etiqueta “${name}”.`,
    noneFound: (query, name) => `Ningún chat con la etiqueta “${name}” coincide con “${query}”.`,
  },
  dialog: {
    title: (name) => `Etiquetas de “${name}”`,
    add: "Añadir etiqueta",
    addAction: "Añadir",
    placeholder: "Una o dos palabras",
    none: "Este chat aún no tiene etiquetas.",
    remove: (name) => `Quitar la etiqueta ${name}`,
    known: "Tus otras etiquetas",
    addKnown: (name) => `Añadir la etiqueta ${name}`,
    failed: "No se pudieron cambiar las etiquetas",
    loadFailed: "No se pudieron cargar las etiquetas",
    added: (name) => `${name}: añadida`,
    removed: (name) => `${name}: quitada`,
    done: "Listo",
  },
} satisfies AppTexts["chat/tags"];
