import type { AppTexts } from "../../app-texts.ts";

export default {
  copy: "Kopieren",
  copied: "Kopiert",
  notCopied: "Kopieren fehlgeschlagen",
  copyCode: "Code kopieren",
  code: "Code",
  codeIn: (language) => `Code in ${language}`,
  plainCode: "Text",
  table: "Tabelle",
  picture: (what, host) => (what ? `Bild: ${what} (${host})` : `Bild (${host})`),
  pictureFrom: (host) => `Von ${host}`,
  showPicture: (what, host) => (what ? `Bild anzeigen: ${what} (${host})` : `Bild anzeigen (${host})`),
  showPictureHint: "Parley ruft das Bild ab. Die andere Website erfährt nicht, wer Sie sind.",
  openPicture: "Öffnen",
  openPictureOf: (host) => `Bild auf ${host} öffnen`,
  taskDone: "Erledigt",
  taskOpen: "Offen",
} satisfies AppTexts["lib/markdown"];
