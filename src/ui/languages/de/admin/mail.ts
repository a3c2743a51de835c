import type { AdminTexts } from "../../admin-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "E-Mail",
  sub: "Der Mailserver, der Einladungen und Links für neue Passwörter verschickt. Ohne ihn kopieren Administratoren diese Links.",
  on: "E-Mails werden verschickt.",
  off: "Es werden keine E-Mails verschickt: Legen Sie einen Mailserver und einen Absender fest.",
  pending: (count) =>
    plural(count, { one: "# E-Mail wartet auf den Versand.", other: "# E-Mails warten auf den Versand." }),
  failed: "Die Einstellungen konnten nicht geladen werden",
  stateFailed: "Der Status konnte nicht geladen werden",
  server: {
    title: "Mailserver",
    sub: "Speichern Sie, bevor Sie testen.",
  },
  password: {
    title: "Passwort",
    sub: "Für den Benutzernamen oben. Es wird verschlüsselt gespeichert und nie angezeigt.",
    label: "Passwort",
    set: "Ein Passwort ist gespeichert. Geben Sie ein neues ein, um es zu ersetzen.",
    none: "Es ist kein Passwort gespeichert.",
    locked: "Durch die Umgebung festgelegt (SMTP_PASSWORD).",
    save: "Passwort speichern",
    remove: "Passwort entfernen",
    saved: "Das Passwort wurde gespeichert.",
    removed: "Das Passwort wurde entfernt.",
    failed: "Das Passwort konnte nicht gespeichert werden",
    changes: "Passwort",
  },
  test: {
    title: "Test",
    sub: "Verschickt jetzt eine E-Mail mit den gespeicherten Einstellungen.",
    to: "Empfänger",
    action: "Test-E-Mail senden",
    wrong: "Geben Sie eine E-Mail-Adresse wie ada@harbour.example ein.",
    failed: "Der Test konnte nicht durchgeführt werden",
    sent: (to) =>
      `Der Mailserver hat die Nachricht für ${to} angenommen. Sehen Sie im Postfach und im Spam-Ordner nach.`,
    notSent: "Die E-Mail wurde nicht verschickt",
    conversation: "Das ganze Gespräch",
    parley: "Parley",
    server: "Server",
  },
  failures: {
    title: "Nicht verschickt",
    sub: "E-Mails der letzten sieben Tage, die aufgegeben wurden.",
    kinds: {
      invitation: "Einladung",
      password_reset: "Neues Passwort",
    },
  },
} satisfies AdminTexts["admin/mail"];
