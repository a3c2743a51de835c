import type { AdminTexts } from "../../admin-texts.ts";
import { number } from "../format.ts";

export default {
  title: "Documentos",
  sub: "Como os arquivos são lidos e pesquisados.",
  failed: "Não foi possível carregar as configurações",
  stateFailed: "Não foi possível carregar o estado do índice",
  tiles: { completed: "Arquivos pesquisáveis", pending: "Em leitura", failed: "Não lidos" },
  search: {
    title: "Busca",
    keywordOnly:
      "Nenhum modelo de embeddings está selecionado, por isso a busca encontra palavras, mas não significado. Selecione um abaixo.",
    serving: (model, dimension) =>
      dimension === null
        ? `A busca encontra palavras e significado, com ${model}.`
        : `A busca encontra palavras e significado, com ${model} (${number.format(dimension)} dimensões).`,
    first: (model) => `${model} está indexando os trechos. Até terminar, a busca encontra só palavras.`,
    next: (model, serving) => `${model} está indexando os trechos. Até terminar, a busca usa ${serving}.`,
    done: (done, total) => `${number.format(done)} de ${number.format(total)} trechos`,
    stopped: (reason) => `A indexação falhou: ${reason} Ela é tentada de novo automaticamente.`,
    progress: "Trechos indexados",
  },
  settings: {
    documents: { title: "Arquivos", sub: "O que pode ser enviado, e como os arquivos são lidos." },
    retrieval: { title: "Trechos e busca", sub: "Como os textos são divididos e pesquisados." },
  },
} satisfies AdminTexts["admin/documents"];
