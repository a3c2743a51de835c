import type { AppTexts } from "../../app-texts.ts";
import { number, plural, list, people } from "../format.ts";

const others = (n: number): string => plural(n, { one: "# weitere Person", other: "# weitere Personen" });
const named = (names: string[], more: number): string => list.format(more > 0 ? [...names, others(more)] : names);
const replies = (n: number): string => plural(n, { one: "# Antwort", other: "# Antworten" });
const newMessages = (n: number): string => plural(n, { one: "# neue Nachricht", other: "# neue Nachrichten" });

export default {
  channels: "Kanäle",
  direct: "Direktnachrichten",
  untitled: "Unterhaltung",

  rail: {
    add: "Neuer Kanal oder neue Unterhaltung",
    make: "Neuer Kanal",
    browse: "Kanäle durchsuchen",
    write: "Neue Nachricht",
    all: "Alle Kanäle",
    failed: "Die Kanäle konnten nicht geladen werden",
    empty: "Ihre Kanäle werden hier aufgeführt.",
    unread: (n, isMore) => `${isMore ? `mehr als ${number.format(n)}` : number.format(n)} ungelesen`,
    mentions: (n) => plural(n, { one: "# Erwähnung von Ihnen", other: "# Erwähnungen von Ihnen" }),
    private: "Privater Kanal",
    public: "Öffentlicher Kanal",
    more: (n) => `${number.format(n)}+`,
  },

  home: {
    title: "Kanäle",
    lead: "Wo Ihr Team, Bots und Modelle miteinander sprechen.",
    empty: "Sie sind noch in keinem Kanal. Durchsuchen Sie die Kanäle, oder erstellen Sie den ersten.",
    none: "Noch keine Nachrichten",
    people,
  },

  page: {
    loadFailed: "Der Kanal konnte nicht geladen werden",
    messagesFailed: "Die Nachrichten konnten nicht geladen werden",
    notFound: "Diesen Kanal gibt es nicht, oder er ist privat und Sie sind nicht Mitglied.",
    notAllowed:
      "Nur Mitglieder können diesen Kanal lesen. Ein Verwalter des Kanals kann Sie hinzufügen. Als Administrator können Sie trotzdem seine Einstellungen ändern.",
    switchedOff: "Kanäle sind hier ausgeschaltet. Ein Administrator kann sie einschalten.",
    noRight: "Ihr Konto darf keine Kanäle verwenden. Ein Administrator kann es erlauben.",
    others: "Alle Kanäle",
    empty: (name) => `Hier beginnt ${name}. Schreiben Sie die erste Nachricht.`,
    emptyPreview: "Noch keine Nachrichten.",
    beginning: (name) => `Hier beginnt ${name}`,
    log: (name) => `Nachrichten in ${name}`,
    earlier: "Frühere Nachrichten anzeigen",
    later: "Spätere Nachrichten anzeigen",
    latest: "Neueste",
    newBelow: newMessages,
    newLine: "Neu",
    today: "Heute",
    yesterday: "Gestern",
    members: (n) => plural(n, { one: "# Mitglied", other: "# Mitglieder" }),
    pins: "Angeheftete Nachrichten",
    search: "In diesem Kanal suchen",
    settings: "Kanaleinstellungen",
    actions: "Weitere Kanalaktionen",
    said: (name, text) => `${name}: ${text}`,
    manySaid: newMessages,
  },

  mention: {
    by: (name) => `${name} hat Sie in einem Thread erwähnt:`,
    more: (n) => `und ${number.format(n)} weitere`,
  },

  preview: {
    text: (name) =>
      `Sie sehen ${name} an. Treten Sie bei, um die Nachrichten zu erhalten. Wer eine Nachricht schreibt, tritt auch bei.`,
    join: "Kanal beitreten",
    failed: "Sie konnten dem Kanal nicht beitreten",
  },

  composer: {
    label: (name) => `Nachricht an ${name}`,
    labelThread: "In diesem Thread antworten",
    placeholder: (name) => `An ${name} schreiben`,
    placeholderThread: "Antworten",
    attach: "Dateien anhängen",
    quoting: (name) => `Zitat von ${name}`,
    dropQuote: "Zitat entfernen",
    tooLong: (over) =>
      `Die Nachricht ist um ${plural(over, { one: "# Zeichen", other: "# Zeichen" })} zu lang. Kürzen Sie sie oder hängen Sie sie als Datei an.`,
  },

  message: {
    edited: "bearbeitet",
    pinned: "Angeheftet",
    deleted: "Diese Nachricht wurde gelöscht.",
    bot: "Webhook",
    service: "Dienstkonto",
    model: "Modell",
    streaming: "schreibt",
    failed: "Das Modell hat nicht geantwortet",
    sending: "Wird gesendet",
    waiting: "Wartet auf die Verbindung",
    notSent: "Nicht gesendet",
    again: "Erneut senden",
    discard: "Verwerfen",
    from: (name, when) => `${name}, ${when}`,
    replies,
    latestReply: "zuletzt",
    quoted: (name) => `Als Antwort an ${name}`,
    quoteGone: "Als Antwort auf eine gelöschte Nachricht",
    showAll: "Alles anzeigen",
    showLess: "Weniger anzeigen",
  },

  actions: {
    label: (name) => `Aktionen für die Nachricht von ${name}`,
    react: "Reagieren",
    quote: "Zitieren",
    thread: "Im Thread antworten",
    edit: "Bearbeiten",
    pin: "Im Kanal anheften",
    unpin: "Lösen",
    copy: "Text kopieren",
    copyLink: "Link kopieren",
    remove: "Löschen",
    stop: "Antwort stoppen",
    regenerate: "Neu antworten",
    copied: "Kopiert.",
    failed: "Das hat nicht funktioniert. Die Nachricht ist unverändert.",
    notCopied: "Der Browser hat das Kopieren blockiert.",
  },

  remove: {
    title: "Diese Nachricht löschen?",
    text: "Sie wird für alle im Kanal gelöscht.",
    textThread: "Der Text wird für alle gelöscht. Die Antworten bleiben erhalten.",
    action: "Nachricht löschen",
    failed: "Die Nachricht konnte nicht gelöscht werden",
  },

  edit: {
    label: "Nachricht bearbeiten",
    save: "Speichern",
    cancel: "Abbrechen",
    hint: "Escape bricht ab, Enter speichert.",
    failed: "Die Änderung konnte nicht gespeichert werden",
  },

  reactions: {
    label: "Reaktionen",
    choose: "Reaktion auswählen",
    more: "Reaktion hinzufügen",
    by: (emoji, names, more) => `${emoji} ${named(names, more)}`,
    you: "Sie",
  },

  thread: {
    title: "Thread",
    failed: "Der Thread konnte nicht geladen werden",
    gone: "Diese Nachricht gibt es nicht mehr.",
    none: "Noch keine Antworten.",
    replies,
    log: "Antworten",
  },

  pins: {
    title: "Angeheftete Nachrichten",
    none: "Keine angehefteten Nachrichten. Heften Sie Nachrichten an, die andere wiederfinden sollen.",
    failed: "Die angehefteten Nachrichten konnten nicht geladen werden",
    show: "Im Kanal anzeigen",
    more: "Mehr anzeigen",
  },

  search: {
    title: "Suche",
    label: "In diesem Kanal suchen",
    hint: "Geben Sie Wörter aus der Nachricht ein.",
    none: (query) => `Keine Nachricht passt zu „${query}“.`,
    failed: "Die Suche ist fehlgeschlagen",
    results: (n) => plural(n, { one: "# Nachricht gefunden", other: "# Nachrichten gefunden" }),
    inThread: "in einem Thread",
    palette: "Nachrichten in Kanälen",
    paletteChannels: "Kanäle",
  },

  panels: { members: "Mitglieder", webhooks: "Webhooks", file: "Datei" },

  typing: (names, more) => `${named(names, more)} ${names.length + more === 1 ? "schreibt" : "schreiben"}`,

  keys: {
    group: "Kanal",
    send: "Senden",
    newline: "Neue Zeile",
    editLast: "Letzte Nachricht bearbeiten (in einem leeren Feld)",
    close: "Thread oder Bereich schließen",
  },
} satisfies AppTexts["channels"];
