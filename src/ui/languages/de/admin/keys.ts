import type { AdminTexts } from "../../admin-texts.ts";
import { plural, endpoints } from "../format.ts";

export default {
  title: "API-Schlüssel",
  sub: "Mit Schlüsseln handeln Skripte und Programme im Namen von Personen. Legen Sie fest, wer Schlüssel haben kann und was sie erreichen, und widerrufen Sie Schlüssel.",
  settings: { title: "Was Schlüssel können", sub: "Gilt für alle Schlüssel ab dem nächsten Aufruf." },
  settingsFailed: "Die Einstellungen konnten nicht geladen werden",
  endpointsFailed: "Die Liste der Endpunkte konnte nicht geladen werden. Bis dahin werden Einträge nicht geprüft",
  who: "Solange Schlüssel eingeschaltet sind, können Administratoren sie haben. Andere brauchen die Berechtigung „API-Schlüssel verwenden“:",
  whoEveryone: "für alle",
  whoGroups: "oder für eine Gruppe",
  card: "Schlüssel",
  table: "API-Schlüssel",
  search: "Schlüssel, Name oder E-Mail suchen",
  columns: {
    key: "Schlüssel",
    owner: "Besitzer",
    lastUsed: "Zuletzt verwendet",
    made: "Erstellt",
    actions: "Aktionen",
  },
  never: "Nie",
  ends: "Gültig bis",
  ended: "Abgelaufen",
  unnamed: "Ohne Namen",
  failed: "Die Schlüssel konnten nicht geladen werden",
  moreFailed: "Weitere Schlüssel konnten nicht geladen werden",
  none: "Noch hat niemand einen Schlüssel erstellt.",
  noneOff:
    "Niemand hat einen Schlüssel. Schlüssel können erstellt werden, nachdem Sie API-Schlüssel eingeschaltet haben.",
  notFound: (query) => `Kein Schlüssel passt zu „${query}“.`,
  noneOfPerson: "Diese Person hat keine Schlüssel.",
  ofPerson: (name) => `Schlüssel von ${name}`,
  everyone: "Schlüssel aller anzeigen",
  actionsFor: (key, owner) => `Aktionen für den Schlüssel ${key} von ${owner}`,
  menu: {
    one: "Diesen Schlüssel widerrufen",
    person: (name) => `Alle Schlüssel von ${name} widerrufen`,
    only: (name) => `Nur Schlüssel von ${name} anzeigen`,
    audit: "Im Audit-Protokoll ansehen",
  },
  revokeAll: "Alle Schlüssel widerrufen",
  ask: {
    one: {
      title: (key, owner) => `Schlüssel ${key} von ${owner} widerrufen?`,
      text: "Alles, was ihn verwendet, funktioniert sofort nicht mehr. Er kann nicht wiederhergestellt werden, aber sein Besitzer kann einen neuen erstellen.",
      action: "Schlüssel widerrufen",
    },
    person: {
      title: (name) => `Alle Schlüssel von ${name} widerrufen?`,
      text: (name) =>
        `Alle Skripte und Programme, die im Namen von ${name} handeln, funktionieren sofort nicht mehr. Die Schlüssel können nicht wiederhergestellt werden.`,
      action: "Schlüssel widerrufen",
    },
    all: {
      title: "Schlüssel aller widerrufen?",
      text: (count) =>
        `${plural(count, { one: "Ein Schlüssel funktioniert", other: "Alle # Schlüssel funktionieren" })} sofort nicht mehr, ebenso alle Skripte und Programme, die damit arbeiten, auch Ihre. Eine Wiederherstellung ist nicht möglich.`,
      action: "Alle Schlüssel widerrufen",
      word: "alle widerrufen",
    },
    failed: "Die Schlüssel konnten nicht widerrufen werden",
  },
  done: {
    one: (key) => `Der Schlüssel ${key} wurde widerrufen.`,
    many: (count) => plural(count, { one: "# Schlüssel wurde widerrufen.", other: "# Schlüssel wurden widerrufen." }),
  },
  endpoints: {
    hint: "Was Schlüssel erreichen können, solange die Einschränkung eingeschaltet ist.",
    add: "Endpunkt hinzufügen",
    addHint:
      "Ein Pfad wie /api/models, mit oder ohne Methode. /* schließt alles darunter ein. Sie können eine Liste einfügen.",
    addAction: "Hinzufügen",
    none: "Es sind keine Endpunkte aufgeführt.",
    list: "Erlaubte Endpunkte",
    remove: (entry) => `${entry} entfernen`,
    wrong: {
      form: "Geben Sie einen Pfad ein, der mit einem Schrägstrich beginnt, mit oder ohne Methode davor.",
      unknown: "Diesen Endpunkt gibt es nicht, daher erlaubt der Eintrag nichts.",
    },
    useInstead: (entry) => `${entry} verwenden`,
    lets: (count) => endpoints(count),
    notInForce: "Die Einschränkung ist ausgeschaltet: Schlüssel können jeden Endpunkt erreichen.",
    emptyInForce: "Die Einschränkung ist eingeschaltet und die Liste ist leer: Schlüssel können nichts erreichen.",
  },
} satisfies AdminTexts["admin/keys"];
