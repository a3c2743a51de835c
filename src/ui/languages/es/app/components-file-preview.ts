import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  pdf: (name) => `Páginas de ${name}`,
  page: (page, of) => `Página ${number.format(page)} de ${number.format(of)}`,
  pageOnly: (page) => `Página ${number.format(page)}`,
  zoomIn: "Acercar",
  zoomOut: "Alejar",
  goTo: "Página",
  pdfFailed: "No se pudieron mostrar las páginas. Descarga el archivo para verlo.",
  pdfEncrypted: "Este archivo está protegido con contraseña, así que sus páginas no se pueden mostrar.",
  pageFailed: "No se pudo mostrar esta página.",
  text: (name) => `Texto de ${name}`,
  textFailed: "No se pudo cargar el texto",
  earlier: "Texto anterior",
  later: "Texto posterior",
  noText: "Este archivo no tiene texto.",
  changed: "El archivo se ha vuelto a leer desde entonces. Puede que este fragmento haya cambiado de sitio.",
} satisfies AppTexts["components/file-preview"];
