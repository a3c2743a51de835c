import type { AdminTexts } from "../../admin-texts.ts";
import { number, plural } from "../format.ts";

export default {
  title: "Busca na web",
  sub: "Para perguntas cujas respostas estão na web. As pessoas a ativam para um chat.",
  failed: "Não foi possível carregar as configurações",
  settings: { title: "Provedor e páginas", sub: "O provedor recebe as consultas, e nada mais de um chat." },
  engines: {
    "": "Nenhum",
    searxng: "SearXNG",
    brave: "Brave",
    tavily: "Tavily",
    google_pse: "Google Programmable Search",
    external: "Seu próprio provedor (JSON)",
    mcp: "Uma ferramenta de um servidor MCP",
  },
  none: "Nenhum",
  trial: {
    title: "Testar",
    sub: "Consulta o provedor salvo acima.",
    query: "Consulta",
    standard: "horário de funcionamento do porto",
    test: "Buscar",
    testing: "Buscando",
    testStale: "Busque de novo: a consulta mudou.",
    testFailed: "A busca falhou",
    found: (count, milliseconds) =>
      count === 0
        ? "O provedor respondeu, mas não encontrou nada em sites permitidos."
        : `${plural(count, { one: "# resultado", other: "# resultados" })} em ${number.format(milliseconds)} ms:`,
    missing: "Insira uma consulta.",
  },
} satisfies AdminTexts["admin/web-search"];
