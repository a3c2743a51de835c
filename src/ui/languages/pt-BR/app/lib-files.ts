import type { AppTexts } from "../../app-texts.ts";
import { anyOf, megabytes, number, percent, plural } from "../format.ts";

const nouns = {
  pages: { one: "a página", counted: (count: number) => plural(count, { one: "# página", other: "# páginas" }) },
  slides: { one: "o slide", counted: (count: number) => plural(count, { one: "# slide", other: "# slides" }) },
  sheets: { one: "a planilha", counted: (count: number) => plural(count, { one: "# planilha", other: "# planilhas" }) },
};

export default {
  tooLarge: (name, most) => `${name} é maior que o limite de ${megabytes.format(most)}.`,
  empty: (name) => `${name} está vazio.`,
  ending: (name, endings) =>
    `Arquivos como ${name} não podem ser enviados. Tipos permitidos: ${anyOf.format(endings)}.`,
  folder: (name) => `Não foi possível ler ${name}. Pastas não podem ser anexadas. Escolha os arquivos que estão nelas.`,
  uploadWaiting: "Esperando o envio",
  uploading: (part) => `Enviando, ${percent.format(Math.floor(part * 100) / 100)}`,
  arriving: "Enviado, salvando",
  uploadOffline: "Sem conexão. Continua automaticamente.",
  uploadFailed: "O envio falhou",
  stopped: "O envio foi parado.",
  state({ status, stage, done, total, unit, error }) {
    if (status === "stored") return "Não lido";
    if (status === "completed") return "Pronto";
    if (status === "failed") return error || "Não foi possível ler";
    if (stage === "embedding")
      return total === undefined
        ? "Tornando pesquisável"
        : `Tornando pesquisável, ${number.format(done)} de ${plural(total, { one: "# trecho", other: "# trechos" })}`;
    if (stage !== "extracting") return "Esperando a leitura";
    if (unit === "pages" || unit === "slides" || unit === "sheets") {
      const noun = nouns[unit];
      if (total !== undefined)
        return `Lendo ${noun.one} ${number.format(Math.min(done + 1, total))} de ${number.format(total)}`;
      return done > 0 ? `Lendo, ${noun.counted(done)} até agora` : "Lendo";
    }
    return total === undefined ? "Lendo" : `Lendo, ${percent.format(Math.floor((done / total) * 100) / 100)}`;
  },
} satisfies AppTexts["lib/files"];
