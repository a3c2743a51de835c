import type { AdminTexts } from "../../admin-texts.ts";

export default {
  title: "Provisionierung (SCIM)",
  sub: "Ein Identitätsanbieter fügt hier Personen und Gruppen hinzu, ändert und deaktiviert sie. Diese Seite zeigt, ob das funktioniert.",
  failed: "Der Status der Provisionierung konnte nicht geladen werden",
  on: "Ein",
  off: "Aus",
  state: "Verbindung",
  base: "Basis-URL für den Identitätsanbieter",
  baseHint: "Tragen Sie sie unverändert in das Feld „Tenant URL“ oder „SCIM connector base URL“ des Anbieters ein.",
  provider: "Anbieter für die Anmeldung",
  providerNone: "Nicht festgelegt (SCIM_AUTH_PROVIDER)",
  providerUnknown: "Nicht konfiguriert",
  providerUnknownHint:
    "Anfragen mit externalId schlagen mit 500 fehl. Setzen Sie SCIM_AUTH_PROVIDER auf einen konfigurierten Anbieter.",
  providerHint: "Personen werden bei der Anmeldung über externalId diesem Anbieter zugeordnet.",
  tokens: "Angenommene Tokens",
  noTokens: "Keine",
  rotate:
    "Um das Token zu ändern: Setzen Sie SCIM_TOKEN_PREVIOUS auf das alte und SCIM_TOKEN auf das neue, starten Sie neu, tragen Sie das neue beim Anbieter ein, und entfernen Sie dann das alte.",
  allowlist: "Angenommene Adressen",
  everyAddress: "Jede Adresse",
  tiles: { users: "Sichtbare Personen", groups: "Sichtbare Gruppen" },
  last: "Letzte Anfrage",
  never: "Nie",
  switchOn: {
    title: "So schalten Sie sie ein",
    text: "Die Provisionierung wird beim Start des Dienstes festgelegt, daher kann niemand sie auf einer Seite einschalten. Setzen Sie diese Variablen, und starten Sie neu:",
    variables: "Variablen",
    example: (token) => `SCIM_ENABLED=true\nSCIM_TOKEN=${token}\nSCIM_AUTH_PROVIDER=oidc`,
    token:
      "Das Token ist ein Vorschlag, in diesem Browser erzeugt und nicht gespeichert. SCIM_AUTH_PROVIDER ist die ID des Anbieters, mit dem Personen sich anmelden.",
    base: "Basis-URL für den Identitätsanbieter",
  },
  requests: {
    title: "Letzte Anfragen",
    only: "Nur Fehler",
    refresh: "Aktualisieren",
    operation: "Vorgang",
    refused: "Abgelehnt",
    done: "Erledigt",
    failed: "Die Anfragen konnten nicht geladen werden",
    none: "Noch keine Anfragen. Drücken Sie bei Ihrem Identitätsanbieter „Test connection“, und die Anfrage erscheint hier.",
    noFailures: "Keine fehlgeschlagenen Anfragen.",
    noneOff: "Noch keine Anfragen. Solange die Provisionierung ausgeschaltet ist, wird jede Anfrage abgelehnt.",
  },
} satisfies AdminTexts["admin/scim"];
