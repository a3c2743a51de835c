import type { AppTexts } from "../../app-texts.ts";
import { number, list } from "../format.ts";

export default {
  usedBy: { everyone: "Alle", some: "Ausgewählte Personen", you: "Nur Sie", owner: "Besitzer" },
  language: { label: "Sprache", browser: "Wie dieser Browser" },
  close: "Schließen",
  cancel: "Abbrechen",
  save: "Speichern",
  saved: "Gespeichert.",
  notSaved: "Ihre Änderungen konnten nicht gespeichert werden",
  undo: "Rückgängig",
  changed: (names) => `Geändert: ${list.format(names)}`,
  retry: "Erneut versuchen",
  notShown: "Dies konnte nicht formatiert angezeigt werden.",
  dismiss: "Ausblenden",
  typeWord: (word) => `Geben Sie zur Bestätigung „${word}“ ein`,
  otherWord: (word) => `Dies stimmt nicht mit „${word}“ überein.`,
  copy: (what) => `${what} kopieren`,
  copied: (what) => `Kopiert: ${what}.`,
  notCopied: "Der Browser hat das Kopieren blockiert. Der Text ist markiert: Drücken Sie Strg+C oder Cmd+C.",
  requestId: (id) => `Anfrage ${id}`,
  openMenu: "Menü öffnen",
  openMenuWaiting: "Menü öffnen: Ein Chat wartet auf Ihre Antwort",
  offline: "Keine Verbindung zu Parley. Sie wird automatisch wiederhergestellt; Ihre Eingaben bleiben erhalten.",
  socketsBlocked: "Etwas zwischen Ihnen und Parley blockiert WebSockets. Alles funktioniert, aber etwas langsamer.",
  socketsHelp: "Was Ihr Administrator tun kann",
  onlineAgain: "Wieder verbunden.",
  notices: "Benachrichtigungen",
  noticeKinds: { plain: "", info: "Information", good: "Erledigt", warn: "Warnung", danger: "Fehler" },
  home: (name) => `${name}: zu Ihren Chats`,
  loading: "Wird geladen",
  page: (page, pages) => `Seite ${number.format(page)} von ${number.format(pages)}`,
  shownOf: (shown, total) => `${number.format(shown)} von ${number.format(total)}`,
  showMore: "Mehr anzeigen",
  pageBefore: "Zurück",
  pageNext: "Weiter",
  choosePicture: "Bild auswählen",
  removePicture: "Bild entfernen",
  pictureFailed: "Dieses Bild kann nicht verwendet werden. Wählen Sie eine PNG-, JPEG- oder WebP-Datei.",
  showPassword: "Passwort anzeigen",
  hidePassword: "Passwort verbergen",
  plot: {
    asTable: "Als Tabelle anzeigen",
    asPlot: "Als Diagramm anzeigen",
    of: (time, parts) => `${time}: ${parts}`,
  },
  means: {
    offline: "Parley ist gerade nicht erreichbar. Die Verbindung wird automatisch wiederhergestellt.",
    timeout:
      "Parley hat zu lange nicht geantwortet. Prüfen Sie, ob Ihre Änderung gespeichert wurde, bevor Sie es erneut versuchen.",
    forbidden: "Ihnen fehlt die Berechtigung dafür. Ein Administrator kann sie erteilen.",
    gone: "Das gibt es nicht mehr, oder Sie haben keinen Zugriff darauf.",
    conflict: "Jemand anderes hat dies gleichzeitig geändert. Laden Sie es neu und wiederholen Sie Ihre Änderung.",
    tooMany: (seconds) =>
      seconds === 1
        ? "Zu viele Versuche. Warten Sie 1 Sekunde und versuchen Sie es dann erneut."
        : `Zu viele Versuche. Warten Sie ${seconds} Sekunden und versuchen Sie es dann erneut.`,
    tooLarge: "Das ist größer, als Parley annimmt.",
    server:
      "In Parley ist ein Fehler aufgetreten. Ihre Arbeit auf dieser Seite bleibt erhalten. Versuchen Sie es später erneut.",
  },
} satisfies AppTexts["components"];
