import type { AppTexts } from "../../app-texts.ts";
import { number, seconds } from "../format.ts";

export default {
  run: "Exécuter",
  runOf: (language) => `Exécuter ce code (${language})`,
  again: "Exécuter à nouveau",
  stop: "Arrêter",
  running: "Le code est en cours d’exécution",
  done: (time) => `Terminé en ${seconds.format(time)}`,
  stopped: "Arrêté",
  failed: (name, message) => (message ? `${name}: ${message}` : name),
  failedAt: (name, message, line) =>
    message ? `Ligne ${number.format(line)} : ${name}: ${message}` : `Ligne ${number.format(line)} : ${name}`,
  tooSlow: (time) => `L’exécution a duré plus de ${seconds.format(time)} et a été arrêtée.`,
  reasons: {
    timeout: "L’exécution a pris trop de temps et a été arrêtée.",
    stopped: "L’exécution a utilisé trop de mémoire, ou trop de temps sans pause, et a été arrêtée.",
    paused: "Votre code a été arrêté plusieurs fois. Patientez une minute, puis réessayez.",
  },
  traceback: "Où l’erreur s’est produite",
  output: "Sortie du code",
  nothing: "Le code n’a rien affiché.",
  cut: "La suite de la sortie n’est pas affichée.",
  result: "Résultat",
  files: "Fichiers du code",
  leftOut: (names) => `Trop volumineux, ou en trop : ${names}`,
  download: "Télécharger",
  downloadOf: (name) => `Télécharger ${name}`,
  keep: "Garder dans mes fichiers",
  keepOf: (name) => `Garder ${name} dans mes fichiers`,
  kept: "Conservé",
  keepFailed: (name) => `Impossible de conserver ${name}`,
  filesUnreadable: "Impossible de lire les fichiers de la discussion : le code s’exécute sans eux.",
  unloaded: "Impossible de charger le cadre d’exécution du code.",
  tooMuch: "Le code a affiché trop de texte à la fois et a été arrêté.",
  unreachable: "Impossible d’exécuter le code",
  step: {
    running: "Exécution du code",
    done: "Code exécuté",
    failed: "Code exécuté, avec une erreur",
    code: "Code",
  },
} satisfies AppTexts["chat/code-runs"];
