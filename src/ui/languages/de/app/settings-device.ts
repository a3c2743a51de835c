import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "Dieses Gerät",
  sub: "Nur für diesen Browser.",
  notifications: "Benachrichtigungen im Browser",
  notificationsSub:
    "Werden angezeigt, während Sie Parley nicht ansehen. Ihr Browser fragt einmal, ob sie erlaubt sind.",
  kinds: {
    answers: {
      label: "Fertige Antworten",
      hint: "Wenn ein Modell in einem Tab geantwortet hat, den Sie nicht ansehen.",
    },
    mentions: {
      label: "Erwähnungen in Kanälen",
      hint: "Wenn jemand Ihren Namen schreibt.",
    },
    questions: {
      label: "Wartende Fragen",
      hint: "Wenn ein Plugin Ihre Antwort braucht, um weiterzumachen.",
    },
  },
  denied:
    "Ihr Browser blockiert Benachrichtigungen dieser Website. Erlauben Sie sie in seinen Einstellungen für diese Website, und laden Sie die Seite dann neu.",
  unsupported: "Dieser Browser kann keine Benachrichtigungen dieser Website anzeigen.",
  app: "Installierte App",
  appSub:
    "Parley in einem eigenen Fenster, mit der Zahl der ungelesenen Nachrichten am Symbol. Andere Apps können Texte und Dateien damit teilen.",
  install: "Parley installieren",
  installed: "Parley läuft als installierte App.",
  manual: "Wählen Sie im Menü Ihres Browsers „Installieren“ oder „Zum Home-Bildschirm“.",
} satisfies AppTexts["settings/device"];
