import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  pdf: (name) => `Páginas de ${name}`,
  page: (page, of) => `Página ${number.format(page)} de ${number.format(of)}`,
  pageOnly: (page) => `Página ${number.format(page)}`,
  zoomIn: "Ampliar",
  zoomOut: "Reduzir",
  goTo: "Página",
  pdfFailed: "Não foi possível mostrar as páginas. Baixe o arquivo para vê-lo.",
  pdfEncrypted: "Este arquivo é protegido por senha, por isso as páginas não podem ser mostradas.",
  pageFailed: "Não foi possível mostrar esta página.",
  text: (name) => `Texto de ${name}`,
  textFailed: "Não foi possível carregar o texto",
  earlier: "Texto anterior",
  later: "Texto seguinte",
  noText: "Este arquivo não tem texto.",
  changed: "O arquivo foi lido de novo desde então. Este trecho pode ter mudado de lugar.",
} satisfies AppTexts["components/file-preview"];
