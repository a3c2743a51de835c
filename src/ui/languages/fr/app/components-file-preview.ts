import type { AppTexts } from "../../app-texts.ts";
import { de, number } from "../format.ts";

export default {
  pdf: (name) => `Pages ${de(name)}`,
  page: (page, of) => `Page ${number.format(page)} sur ${number.format(of)}`,
  pageOnly: (page) => `Page ${number.format(page)}`,
  zoomIn: "Zoom avant",
  zoomOut: "Zoom arrière",
  goTo: "Page",
  pdfFailed: "Impossible d’afficher les pages. Téléchargez le fichier pour le consulter.",
  pdfEncrypted: "Ce fichier est protégé par un mot de passe : ses pages ne peuvent pas être affichées.",
  pageFailed: "Impossible d’afficher cette page.",
  text: (name) => `Texte ${de(name)}`,
  textFailed: "Impossible de charger le texte",
  earlier: "Texte précédent",
  later: "Texte suivant",
  noText: "Ce fichier ne contient pas de texte.",
  changed: "Le fichier a été relu depuis. Ce passage a pu se déplacer.",
} satisfies AppTexts["components/file-preview"];
