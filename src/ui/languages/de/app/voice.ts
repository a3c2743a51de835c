import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  dictate: "Diktieren",
  recording: "Aufnahme",
  level: "Lautstärke",
  listening: "Hört zu",
  writing: "Gesprochenes wird aufgeschrieben",
  done: "Fertig",
  cancel: "Abbrechen",
  noMicrophone: "Das Mikrofon konnte nicht verwendet werden. Erlauben Sie es in Ihrem Browser für diese Seite.",
  noSpeech: "Es war nichts zu hören. Versuchen Sie es erneut.",
  unsupported:
    "Dieser Browser kann Gesprochenes nicht aufschreiben. Ein Administrator kann dafür ein Modell auswählen.",
  failed: "Gesprochenes konnte nicht aufgeschrieben werden",
  tooLong: "Aufnahmen können höchstens 10 Minuten lang sein.",
  read: "Vorlesen",
  stop: "Vorlesen stoppen",
  readFailed: "Die Antwort konnte nicht vorgelesen werden",
  noVoice: "Dieser Browser hat keine Stimme zum Vorlesen. Ein Administrator kann dafür ein Modell auswählen.",
  settings: {
    title: "Stimme",
    sub: "Wie Sie diktieren und wie Ihnen Antworten vorgelesen werden. Wird mit Ihrem Konto gespeichert.",
    failed: "Ihre Auswahl konnte nicht geladen werden",
    notStored: "Ihre Auswahl konnte nicht gespeichert werden",
    dictation: "Diktieren",
    reading: "Vorlesen",
    engines: { "": "Wie vom Administrator festgelegt", web: "Dieser Browser", openai: "Ein Modell" },
    voice: "Stimme",
    standardVoice: "Die übliche",
    speed: "Tempo",
    speeds: (speed) => `${number.format(speed)}×`,
    off: "Diktieren und Vorlesen sind für Sie oder für alle ausgeschaltet.",
    sample: "Anhören",
    sampleText: "So klingen Antworten.",
  },
} satisfies AppTexts["voice"];
