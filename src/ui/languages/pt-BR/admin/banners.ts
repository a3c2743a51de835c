import type { AdminTexts } from "../../admin-texts.ts";

export default {
  title: "Banners",
  sub: "Avisos acima de todas as páginas, para todos que entraram.",
  none: "Não há banners.",
  add: "Adicionar banner",
  failed: "Não foi possível carregar os banners",
  notSaved: "Não foi possível salvar os banners",
  saved: "Banners: salvos. As pessoas os veem quando abrirem ou recarregarem uma página.",
  changes: "Banners",
  of: (n) => `Banner ${n}`,
  type: "Tipo",
  types: { info: "Informação", success: "Boa notícia", warning: "Atenção", error: "Problema" },
  heading: "Título (opcional)",
  content: "Texto",
  contentHint: "Markdown, como **negrito** e [links](https://example.com).",
  missing: "Escreva o que o banner deve dizer.",
  dismissible: "As pessoas podem fechá-lo",
  dismissibleHint: "Ele volta para elas quando você o altera.",
  remove: (n) => `Remover o banner ${n}`,
  up: (n) => `Mover o banner ${n} para cima`,
  down: (n) => `Mover o banner ${n} para baixo`,
} satisfies AdminTexts["admin/banners"];
