import type { AppTexts } from "../../app-texts.ts";

export default {
  menu: "Tags …",
  label: "Tags",
  spoken: "Tags:",
  row: "Tags deste chat",
  edit: "Alterar as tags",
  show: (name) => `Mostrar chats com a tag ${name}`,
  filter: {
    label: "Só chats com esta tag",
    clear: (name) => `Parar de filtrar por ${name}`,
    none: (name) => `Nenhum chat tem a tag “${name}”.`,
    noneFound: (query, name) => `Nenhum chat com a tag “${name}” corresponde a “${query}”.`,
  },
  dialog: {
    title: (name) => `Tags de “${name}”`,
    add: "Adicionar tag",
    addAction: "Adicionar",
    placeholder: "Uma ou duas palavras",
    none: "Este chat ainda não tem tags.",
    remove: (name) => `Remover a tag ${name}`,
    known: "Suas outras tags",
    addKnown: (name) => `Adicionar a tag ${name}`,
    failed: "Não foi possível alterar as tags",
    loadFailed: "Não foi possível carregar as tags",
    added: (name) => `${name} adicionada`,
    removed: (name) => `${name} removida`,
    done: "Concluir",
  },
} satisfies AppTexts["chat/tags"];
