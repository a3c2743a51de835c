import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  pdf: (name) => `Seiten von ${name}`,
  page: (page, of) => `Seite ${number.format(page)} von ${number.format(of)}`,
  pageOnly: (page) => `Seite ${number.format(page)}`,
  zoomIn: "Vergrößern",
  zoomOut: "Verkleinern",
  goTo: "Seite",
  pdfFailed: "Die Seiten konnten nicht angezeigt werden. Laden Sie die Datei herunter, um sie anzusehen.",
  pdfEncrypted: "Diese Datei ist mit einem Passwort geschützt, daher können ihre Seiten nicht angezeigt werden.",
  pageFailed: "Diese Seite konnte nicht angezeigt werden.",
  text: (name) => `Text von ${name}`,
  textFailed: "Der Text konnte nicht geladen werden",
  earlier: "Früherer Text",
  later: "Späterer Text",
  noText: "Diese Datei enthält keinen Text.",
  changed: "Die Datei wurde seitdem neu gelesen. Diese Passage kann sich verschoben haben.",
} satisfies AppTexts["components/file-preview"];
