import type { AdminTexts } from "../../admin-texts.ts";
import { number } from "../format.ts";

export default {
  title: "Einstellungen",
  sub: "Einstellungen für alle. Durch Umgebungsvariablen festgelegte Werte werden hier angezeigt, sind aber nur dort änderbar.",
  failed: "Die Einstellungen konnten nicht geladen werden",
  sections: {
    general: { title: "Allgemein", sub: "Name, Adresse und Bilder anderer Websites." },
    accounts: { title: "Konten", sub: "Wer sich registrieren und anmelden kann und wie lange." },
    retention: {
      title: "Datenaufbewahrung",
      sub: "Wie viele Tage Daten aufbewahrt werden, für Organisationen ohne eigene Fristen. 0 bewahrt Daten unbegrenzt auf.",
    },
    limits: {
      title: "Grenzen",
      sub: "Wie viel eine Person, eine Organisation und der Dienst haben können. 0 bedeutet keine Grenze.",
    },
    keys: { title: "API-Schlüssel", sub: "Ob Skripte im Namen von Personen handeln können und was sie erreichen." },
    sso: { title: "Single Sign-on", sub: "Wird beim Start des Dienstes festgelegt." },
    scim: { title: "Provisionierung", sub: "Wird beim Start des Dienstes festgelegt." },
    chat: { title: "Chat", sub: "Was neben einer Antwort geschieht." },
    models: { title: "Modelle", sub: "Wer welche Modelle sieht und welches der Standard ist." },
    documents: { title: "Dokumente", sub: "Was hochgeladen werden kann und wie Dateien gelesen werden." },
    retrieval: { title: "Suche in Dokumenten", sub: "Wie Passagen entstehen und gefunden werden." },
    channels: { title: "Kanäle", sub: "Wo Personen, Bots und Modelle miteinander sprechen." },
    connections: { title: "Verbindungen", sub: "Wie Anbieter aufgerufen werden." },
    network: { title: "Netzwerk", sub: "Welche Adressen Parley aufrufen kann." },
    service: { title: "Dienst", sub: "Wird beim Start des Dienstes festgelegt." },
  },
  /** Sections that have a page of their own. */
  elsewhere: {
    keys: {
      text: "Diese Einstellungen sind auf der Seite der API-Schlüssel.",
      href: "/admin/keys",
      action: "API-Schlüssel öffnen",
    },
    sso: {
      text: "Wird beim Start des Dienstes festgelegt. Anbieter und ihre Variablen finden Sie auf der Seite Single Sign-on.",
      href: "/admin/sso",
      action: "Single Sign-on öffnen",
    },
    documents: {
      text: "Diese Einstellungen sind auf der Seite Dokumente.",
      href: "/admin/documents",
      action: "Dokumente öffnen",
    },
    retrieval: {
      text: "Diese Einstellungen sind auf der Seite Dokumente.",
      href: "/admin/documents",
      action: "Dokumente öffnen",
    },
    scim: {
      text: "Wird beim Start des Dienstes festgelegt. Den Status finden Sie auf der Seite Provisionierung.",
      href: "/admin/scim",
      action: "Provisionierung öffnen",
    },
  },
  /** The table of what the environment sets. */
  environment: {
    title: "Variablen",
    columns: { setting: "Einstellung", variable: "Variable", value: "Wert" },
    on: "ein",
    off: "aus",
    empty: "leer",
    none: "Es sind keine Variablen gesetzt. Alle haben ihren Standardwert.",
    all: (count) => `Alle ${number.format(count)} Variablen anzeigen`,
  },
  locked: (name) => `Durch die Umgebung festgelegt (${name}).`,
  hidden: "Wird nie angezeigt",
  lines: "Eine pro Zeile.",
  choices: {
    pending: "Wartend, bis ein Administrator freischaltet",
    user: "Sofort Mitglied",
    everyone: "Alle, die angemeldet sind",
    admins: "Nur Administratoren",
    ask: "Nach einem Klick",
    show: "Sofort",
    link: "Nie: Dort steht ein Link",
    dev: "dev",
    prod: "prod",
  },
  notNumber: "Geben Sie eine Zahl ein.",
  notSaved: "Die Einstellungen konnten nicht gespeichert werden",
  saved: (section) => `${section}: gespeichert. Die Änderungen gelten ab sofort.`,
} satisfies AdminTexts["admin/settings"];
