import type { AppTexts } from "../../app-texts.ts";
import { plural } from "../format.ts";

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  return [
    minutes > 0 && plural(minutes, { one: "# Minute", other: "# Minuten" }),
    (rest > 0 || minutes === 0) && plural(rest, { one: "# Sekunde", other: "# Sekunden" }),
  ]
    .filter(Boolean)
    .join(" ");
}

export default {
  signIn: {
    title: "Anmelden",
    action: "Anmelden",
    other: "Neu hier?",
    otherAction: "Konto erstellen",
    failed: "Die Anmeldung ist fehlgeschlagen",
    wrong: "E-Mail-Adresse oder Passwort ist falsch.",
    closed:
      "Die Anmeldung mit Passwort ist ausgeschaltet. Fragen Sie Ihren Administrator, wie Sie sich anmelden können.",
    signedOut: "Sie sind abgemeldet.",
    newPassword: "Ihr neues Passwort ist festgelegt. Melden Sie sich damit an.",
    forgotten: "Passwort vergessen?",
  },
  signUp: {
    title: "Konto erstellen",
    first: "Erstes Konto erstellen",
    firstSub: "Es wird das Administratorkonto.",
    action: "Konto erstellen",
    other: "Haben Sie schon ein Konto?",
    otherAction: "Anmelden",
    failed: "Ihr Konto konnte nicht erstellt werden",
    closed:
      "Nur Administratoren können Konten erstellen. Wenden Sie sich an einen Administrator, oder melden Sie sich an, wenn Sie ein Konto haben.",
  },
  code: {
    text: "Geben Sie den Code Ihrer Authenticator-App oder einen Ihrer Wiederherstellungscodes ein.",
    label: "Code",
    missing: "Geben Sie den Code ein.",
    wrong: "Dieser Code ist falsch oder wurde schon verwendet. Warten Sie auf den nächsten.",
    back: "Anderes Konto verwenden",
  },
  passkey: {
    action: "Mit Passkey anmelden",
    use: "Passkey verwenden",
    orCode:
      "Bestätigen Sie mit einem Passkey, oder geben Sie einen Code Ihrer Authenticator-App oder einen Ihrer Wiederherstellungscodes ein.",
    orRecovery: "Bestätigen Sie mit einem Passkey, oder geben Sie einen Ihrer Wiederherstellungscodes ein.",
    recoveryOnly:
      "Passkeys funktionieren in diesem Browser oder unter dieser Adresse nicht. Geben Sie einen Ihrer Wiederherstellungscodes ein.",
    wrong: "Dieser Passkey funktioniert hier nicht. Vielleicht wurde er entfernt. Melden Sie sich auf andere Weise an.",
    cancelled: "Es wurde nichts bestätigt. Versuchen Sie es noch einmal, oder melden Sie sich auf andere Weise an.",
    unusable:
      "Der Passkey funktioniert in diesem Browser oder unter dieser Adresse nicht. Melden Sie sich auf andere Weise an.",
  },
  join: {
    title: "Beitreten",
    from: (name) => `${name} lädt Sie ein, ein Konto zu erstellen.`,
    fromTo: (name, organization) => `${name} lädt Sie ein, ${organization} beizutreten.`,
    action: "Konto erstellen",
    failed: "Ihr Konto konnte nicht erstellt werden",
    loading: "Die Einladung wird geprüft",
    noToken: "Diese Adresse ist unvollständig. Öffnen Sie den ganzen Link der Einladung.",
    overTitle: "Diese Einladung kann nicht verwendet werden",
    lookFailed: "Die Einladung konnte nicht geladen werden",
    onlyFor: "Die Einladung gilt für diese Adresse.",
    signedInAs: (email) => `Sie sind als ${email} angemeldet. Melden Sie sich ab, um ein anderes Konto zu erstellen.`,
    toApp: "Zu Parley",
    noWay: "Keine Art der Anmeldung ist eingeschaltet. Wenden Sie sich an Ihren Administrator.",
  },
  forgotten: {
    title: "Passwort vergessen?",
    sub: "Geben Sie Ihre E-Mail-Adresse ein. Gehört sie zu einem Konto mit Passwort, erhalten Sie einen Link, um ein neues zu wählen.",
    action: "Link senden",
    failed: "Der Link konnte nicht gesendet werden",
    sent: (email) =>
      `Gehört ${email} zu einem Konto mit Passwort, ist eine E-Mail mit einem Link unterwegs. Der Link funktioniert eine Stunde lang.`,
    off: "Von hier können keine E-Mails verschickt werden. Bitten Sie einen Administrator um einen Link für ein neues Passwort.",
    back: "Zurück zur Anmeldung",
  },
  newPassword: {
    title: "Neues Passwort wählen",
    sub: (email) => `Für ${email}. Alle Sitzungen des Kontos enden.`,
    field: "Neues Passwort",
    action: "Passwort festlegen",
    failed: "Das Passwort konnte nicht festgelegt werden",
    lookFailed: "Der Link konnte nicht geprüft werden",
    overTitle: "Dieser Link kann nicht verwendet werden",
    noToken: "Diese Adresse ist unvollständig. Öffnen Sie den ganzen Link.",
    again: "Neuen Link anfordern",
  },
  fields: {
    name: "Name",
    email: "E-Mail",
    password: "Passwort",
    passwordHint: "Mindestens 8 Zeichen. Ein paar Wörter merken sich leichter als Sonderzeichen.",
  },
  missing: {
    name: "Geben Sie Ihren Namen ein.",
    email: "Geben Sie eine E-Mail-Adresse wie ada@harbour.example ein.",
    password: "Geben Sie Ihr Passwort ein.",
    newPassword: "Verwenden Sie mindestens 8 Zeichen.",
    longPassword: "Verwenden Sie höchstens 1.024 Bytes.",
  },
  sso: {
    with: (name) => `Weiter mit ${name}`,
    going: (name) => `${name} wird geöffnet`,
    newTab: " in einem neuen Tab",
    or: "oder",
    onItsWay: (name) => `${name} wird geöffnet.`,
    stay: "Auf der Seite bleiben",
    waiting: "Melden Sie sich dort an, und kehren Sie dann zu diesem Tab zurück. Es geht automatisch weiter.",
    failed: "Die Anmeldung ist fehlgeschlagen",
    unknown:
      "Die Anmeldung beim Anbieter ist fehlgeschlagen. Versuchen Sie es erneut. Wenn es weiter fehlschlägt, informieren Sie Ihren Administrator.",
    /** Why signing in with a provider failed, by the code in the address, and what to do next. */
    errors: {
      sso_denied:
        "Der Anbieter hat die Anmeldung abgelehnt, oder Sie haben sie abgebrochen. Versuchen Sie es erneut, und erlauben Sie den Zugriff, wenn Sie gefragt werden.",
      sso_expired:
        "Die Anmeldung hat zu lange gedauert, oder die Seite wurde zweimal geöffnet. Beginnen Sie hier von vorn.",
      sso_no_account:
        "Sie haben noch kein Konto, und bei der Anmeldung wird keines erstellt. Bitten Sie Ihren Administrator, Sie hinzuzufügen.",
      sso_email_taken:
        "Ein Konto mit Ihrer E-Mail-Adresse gibt es bereits; es meldet sich auf andere Weise an. Melden Sie sich wie bisher an, oder bitten Sie Ihren Administrator, die Konten zu verknüpfen.",
      sso_email_missing:
        "Der Anbieter hat Ihre E-Mail-Adresse nicht gesendet, sie ist aber erforderlich. Bitten Sie Ihren Administrator, dies beim Anbieter zu ändern.",
      sso_email_unverified:
        "Ihre E-Mail-Adresse ist beim Anbieter noch nicht bestätigt. Bestätigen Sie sie dort, und versuchen Sie es dann erneut.",
      sso_domain_not_allowed:
        "Die Domain Ihrer E-Mail-Adresse ist nicht zugelassen. Verwenden Sie Ihr Arbeitskonto, oder fragen Sie Ihren Administrator.",
      sso_account_inactive: "Ihr Konto ist deaktiviert. Bitten Sie Ihren Administrator, es wieder zu aktivieren.",
      sso_organization_inactive: "Ihre Organisation ist ausgeschaltet. Wenden Sie sich an Ihren Administrator.",
      sso_other_invitation:
        "Die Einladung gilt für eine andere E-Mail-Adresse. Melden Sie sich mit dem Konto an, an das sie ging, oder bitten Sie um eine Einladung für dieses.",
      sso_role_not_allowed:
        "Keine Ihrer Rollen darf diesen Dienst verwenden. Bitten Sie Ihren Administrator um Zugriff.",
      sso_provider_failed:
        "Der Anbieter war nicht erreichbar oder hat eine ungültige Antwort gesendet. Versuchen Sie es später erneut. Wenn es weiter fehlschlägt, informieren Sie Ihren Administrator. Der Grund steht im Protokoll des Dienstes.",
    },
  },
  pause: (seconds) => `Zu viele Versuche. Nächster Versuch möglich in: ${duration(seconds)}.`,
  pauseOver: "Sie können es jetzt erneut versuchen.",
  again: {
    title: "Erneut anmelden",
    text: "Ihre Sitzung ist beendet. Melden Sie sich an, um hier weiterzumachen. Ihre Eingaben bleiben erhalten.",
    other: "Anderes Konto verwenden",
    action: "Anmelden und fortfahren",
    noForm:
      "Ihre Sitzung ist beendet. Melden Sie sich in einem neuen Tab an, um hier weiterzumachen. Ihre Eingaben bleiben erhalten.",
  },
  waiting: {
    title: "Ihr Konto wartet auf Freischaltung",
    text: "Ein Administrator muss Ihr Konto zuerst freischalten. Danach geht es auf dieser Seite automatisch weiter.",
    contact: (name) => `Sie können ${name} fragen:`,
    check: "Jetzt prüfen",
    checked: "Noch nicht freigeschaltet. Gerade geprüft.",
    signOut: "Abmelden",
    signedInAs: (email) => `Angemeldet als ${email}`,
    failed: "Die Freischaltung konnte nicht geprüft werden",
  },
} satisfies AppTexts["sign-in"];
