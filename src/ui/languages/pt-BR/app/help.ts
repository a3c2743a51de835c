import type { AppTexts } from "../../app-texts.ts";

export default {
  back: "Voltar aos chats",
  title: "Ajuda",
  sub: "Como o Parley funciona, para todos que o usam, operam ou ampliam.",
  all: "Todas as páginas",
  search: "Buscar na ajuda",
  searchFailed: "Não foi possível buscar nas páginas de ajuda",
  none: (query) => `Nenhuma página contém “${query}”.`,
  failed: "Não foi possível carregar a página",
  missing: "Não há nenhuma página de ajuda neste endereço.",
  contents: "Nesta página",
} satisfies AppTexts["help"];
