import type { AppTexts } from "../../app-texts.ts";

export default {
  copy: "Copiar",
  copied: "Copiado",
  notCopied: "No se pudo copiar",
  copyCode: "Copiar el código",
  code: "Código",
  codeIn: (language) => `Código en ${language}`,
  plainCode: "texto",
  table: "Tabla",
  picture: (what, host) => (what ? `Imagen: ${what} (${host})` : `Imagen (${host})`),
  pictureFrom: (host) => `De ${host}`,
  showPicture: (what, host) => (what ? `Mostrar imagen: ${what} (${host})` : `Mostrar imagen (${host})`),
  showPictureHint: "Parley obtiene la imagen. El otro sitio no sabrá quién eres.",
  openPicture: "Abrir",
  openPictureOf: (host) => `Abrir la imagen en ${host}`,
  taskDone: "Hecha",
  taskOpen: "Pendiente",
} satisfies AppTexts["lib/markdown"];
