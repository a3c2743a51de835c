import type { AdminTexts } from "../../admin-texts.ts";

export default {
  disk: {
    title: "Festplatte",
    used: "Von allem auf dieser Festplatte belegt",
    free: (size) => `${size} frei`,
    low: (min) =>
      `Uploads werden abgelehnt, weil weniger als ${min} der Festplatte frei sind. Geben Sie Speicherplatz frei.`,
    parts: {
      database: "Datenbank",
      log: "Datenbankprotokoll",
      objects: "Dateien und Texte",
      sessions: "Sitzungen und Kanäle",
      backups: "Backups",
    },
    hint: "Der Platz gelöschter Dateien wird innerhalb einer Stunde frei.",
    failed: "Die Festplatte und die Backups konnten nicht geladen werden",
  },
  backups: {
    title: "Backups",
    now: "Jetzt sichern",
    progress: (part) => `Backup läuft: ${part} %`,
    startFailed: "Das Backup konnte nicht gestartet werden",
    late: "Ein Backup ist überfällig. Der letzte Fehler unten oder das Protokoll des Dienstes nennt den Grund.",
    last: "Letztes Backup",
    none: "Noch keines",
    lastHint: (size, seconds) => `${size}, dauerte ${seconds} s`,
    next: "Nächstes Backup",
    noSchedule: "Kein Zeitplan. Setzen Sie BACKUP_SCHEDULE, um regelmäßig Backups zu erstellen.",
    to: "Aufbewahrt in",
    keep: "Aufbewahrte Backups",
    failed: "Letzter Fehler",
  },
} satisfies AdminTexts["admin/storage"];
