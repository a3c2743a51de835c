import type { AppTexts } from "../../app-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Zweiter Faktor",
  sub: "Ein Code aus einer App auf Ihrem Telefon, zusätzlich zum Passwort. Mit dem Passwort allein kommt dann niemand hinein.",
  failed: "Ihr zweiter Faktor konnte nicht geladen werden",
  required: {
    title: "Zweiten Faktor einrichten",
    sub: "Er ist für Ihr Konto vorgeschrieben. Es dauert eine Minute, und Sie brauchen eine Authenticator-App auf Ihrem Telefon.",
    signOut: "Abmelden",
  },
  sso: "Sie melden sich über Ihren Identitätsanbieter an. Er entscheidet, ob er nach einem zweiten Faktor fragt.",
  app: {
    title: "Authenticator-App",
    off: "Nicht eingerichtet.",
    on: "Bei der Anmeldung mit Passwort wird nach einem Code der App gefragt.",
    since: "Eingerichtet",
    password: "Ihr Passwort",
    start: "Einrichten",
    startFailed: "Die Einrichtung konnte nicht beginnen",
    wrongPassword: "Das ist nicht Ihr Passwort.",
    scan: "Scannen Sie dieses Bild mit Ihrer Authenticator-App, und geben Sie dann den angezeigten Code ein.",
    picture: "QR-Code für Ihre Authenticator-App",
    secret: "Oder geben Sie diesen Schlüssel in der App ein",
    code: "Code",
    codeHint: "Sechs Ziffern.",
    confirm: "Abschließen",
    confirmFailed: "Die Einrichtung konnte nicht abgeschlossen werden",
    wrongCode: "Dieser Code ist falsch oder wurde schon verwendet. Warten Sie auf den nächsten.",
    missing: "Geben Sie den Code ein.",
    remove: "Entfernen",
    removeTitle: "Zweiten Faktor entfernen?",
    removeText: "Danach genügt wieder Ihr Passwort zum Anmelden.",
    removed: "Der zweite Faktor wurde entfernt.",
    removeFailed: "Der zweite Faktor konnte nicht entfernt werden",
    anyCode: "Ein Code der App oder ein Wiederherstellungscode",
    needed: "Für Ihr Konto ist ein zweiter Faktor vorgeschrieben, daher kann er nicht entfernt werden.",
  },
  recovery: {
    title: "Wiederherstellungscodes",
    left: (count) =>
      count === 0
        ? "Es sind keine Codes übrig. Erstellen Sie neue."
        : plural(count, { one: "Ein Code ist übrig.", other: "# Codes sind übrig." }),
    what: "Mit jedem können Sie sich einmal anmelden, wenn Sie Ihr Telefon verloren haben.",
    show: "Bewahren Sie diese Codes sicher auf, etwa in einem Passwortmanager. Sie werden nur einmal angezeigt.",
    codes: "Wiederherstellungscodes",
    renew: "Neue Codes erstellen",
    renewTitle: "Neue Wiederherstellungscodes erstellen?",
    renewText: "Ihre bisherigen Codes funktionieren dann nicht mehr.",
    renewFailed: "Die Codes konnten nicht erstellt werden",
    saved: "Ich habe sie gespeichert",
  },
} satisfies AppTexts["settings/second-factor"];
