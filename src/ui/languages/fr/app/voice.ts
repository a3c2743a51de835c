import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  dictate: "Dicter",
  recording: "Enregistrement",
  level: "Niveau sonore",
  listening: "À l’écoute",
  writing: "Transcription en cours",
  done: "Terminer",
  cancel: "Annuler",
  noMicrophone: "Impossible d’utiliser le microphone. Autorisez-le pour cette page dans votre navigateur.",
  noSpeech: "Rien n’a été entendu. Réessayez.",
  unsupported:
    "Ce navigateur ne peut pas transcrire la parole. Un administrateur peut choisir un modèle qui s’en charge.",
  failed: "Impossible de transcrire vos paroles",
  tooLong: "Un enregistrement peut durer 10 minutes au plus.",
  read: "Lire à voix haute",
  stop: "Arrêter la lecture",
  readFailed: "Impossible de lire la réponse à voix haute",
  noVoice: "Ce navigateur n'a aucune voix pour lire. Un administrateur peut choisir un modèle pour cela.",
  settings: {
    title: "Voix",
    sub: "Comment vous dictez, et comment les réponses vous sont lues. Conservé avec votre compte.",
    failed: "Impossible de charger votre choix",
    notStored: "Impossible d’enregistrer votre choix",
    dictation: "Dictée",
    reading: "Lecture à voix haute",
    engines: { "": "Selon le réglage de l’administrateur", web: "Ce navigateur", openai: "Un modèle" },
    voice: "Voix",
    standardVoice: "La voix habituelle",
    speed: "Vitesse",
    speeds: (speed) => `${number.format(speed)}×`,
    off: "La voix est désactivée pour vous ou pour tout le monde.",
    sample: "Écouter",
    sampleText: "Voici comment les réponses sont lues.",
  },
} satisfies AppTexts["voice"];
