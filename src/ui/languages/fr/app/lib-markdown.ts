import type { AppTexts } from "../../app-texts.ts";

export default {
  copy: "Copier",
  copied: "Copié",
  notCopied: "Échec de la copie",
  copyCode: "Copier le code",
  code: "Code",
  codeIn: (language) => `Code en ${language}`,
  plainCode: "texte",
  table: "Tableau",
  picture: (what, host) => (what ? `Image : ${what} (${host})` : `Image (${host})`),
  pictureFrom: (host) => `Provenance : ${host}`,
  showPicture: (what, host) => (what ? `Afficher l’image : ${what} (${host})` : `Afficher l’image (${host})`),
  showPictureHint: "Parley récupère l’image. L’autre site ne sait pas qui vous êtes.",
  openPicture: "Ouvrir",
  openPictureOf: (host) => `Ouvrir l’image sur ${host}`,
  taskDone: "Fait",
  taskOpen: "À faire",
} satisfies AppTexts["lib/markdown"];
