import type { AdminTexts } from "../../admin-texts.ts";
import { number, plural } from "../format.ts";

export default {
  invite: "Einladen",
  card: "Einladungen",
  table: "Einladungen",
  columns: {
    who: "Für",
    role: "Rolle",
    from: "Eingeladen von",
    ends: "Endet",
    state: "Status",
    actions: "Aktionen",
  },
  anyone: "Alle mit dem Link",
  roles: {
    user: "Mitglied",
    admin: "Administrator",
  },
  states: {
    open: "Offen",
    void: "Nicht mehr gültig",
    used: "Verwendet",
    expired: "Abgelaufen",
    revoked: "Zurückgezogen",
  },
  usedBy: (name) => `Verwendet von ${name}`,
  voidHint:
    "Etwas, das die Einladung braucht, hat sich geändert: Eine Gruppe oder die Organisation gibt es nicht mehr, oder wer eingeladen hat, darf es nicht mehr.",
  failed: "Die Einladungen konnten nicht geladen werden",
  takeBack: "Zurückziehen",
  takeBackOf: (who) => `: Einladung für ${who}`,
  takeBackTitle: "Einladung zurückziehen?",
  takeBackText: "Ihr Link funktioniert dann sofort nicht mehr.",
  takeBackFailed: "Die Einladung konnte nicht zurückgezogen werden",
  takenBack: "Die Einladung wurde zurückgezogen.",
  dialog: {
    title: "Jemanden einladen",
    text: "Sie erhalten einen Link, mit dem ein Konto erstellt werden kann. Name und Passwort wählt die Person selbst.",
    email: "E-Mail-Adressen (optional)",
    emailHint:
      "Jede Adresse erhält einen Link, den nur sie verwenden kann. Trennen Sie mit Kommas, Leerzeichen oder Zeilen.",
    emailWrong: "Geben Sie eine E-Mail-Adresse wie ada@harbour.example ein.",
    tooMany: (most) => `Höchstens ${number.format(most)} Adressen auf einmal.`,
    refused: (lines) => `Diese Adressen wurden nicht eingeladen:\n${lines}`,
    reasons: {
      invalid_email: "keine E-Mail-Adresse",
      email_taken: "hat schon ein Konto",
      limit_reached: "Sie haben zu viele offene Einladungen",
    },
    send: "Link per E-Mail senden",
    role: "Rolle",
    organization: "Organisation",
    byRules: "Nach den Zuordnungsregeln",
    groups: "Gruppen",
    searchGroups: "Gruppen suchen",
    chosen: (count) => (count === 0 ? "Keine Gruppe ausgewählt" : `${number.format(count)} ausgewählt`),
    noGroups: "Es gibt keine Gruppen.",
    days: "Der Link endet nach",
    dayCount: (count) => plural(count, { one: "# Tag", other: "# Tagen" }),
    action: (count) => (count < 2 ? "Einladung erstellen" : plural(count, { other: "# Einladungen erstellen" })),
    failed: "Die Einladung konnte nicht erstellt werden",
    madeTitle: (count) => plural(count, { one: "Die Einladung ist bereit", other: "# Einladungen sind bereit" }),
    sent: (emails) =>
      emails.length === 1
        ? `Eine E-Mail mit dem Link ist unterwegs an ${emails[0]}. Sie können ihn auch kopieren.`
        : plural(emails.length, {
            other: "E-Mails mit den Links sind unterwegs an # Personen. Sie können die Links auch kopieren.",
          }),
    copy: (count) =>
      count === 1
        ? "Senden Sie diesen Link der Person. Er wird nur einmal angezeigt und funktioniert einmal."
        : "Senden Sie jeden Link der Person, die davor steht. Die Links werden nur einmal angezeigt, und jeder funktioniert einmal.",
    link: (count) => (count === 1 ? "Link" : "Links"),
    done: "Fertig",
  },
  reset: {
    action: "Link für neues Passwort",
    title: (name) => `Neues Passwort für ${name}`,
    text: "Sie erhalten einen Link, mit dem die Person ein neues Passwort wählt. Er funktioniert einmal, einen Tag lang. Wird er verwendet, enden alle Sitzungen des Kontos.",
    make: "Link erstellen",
    failed: "Der Link konnte nicht erstellt werden",
    ready: "Senden Sie diesen Link der Person auf sicherem Weg. Er wird nur einmal angezeigt.",
    link: "Link",
    done: "Fertig",
  },
} satisfies AdminTexts["admin/people/invitations"];
