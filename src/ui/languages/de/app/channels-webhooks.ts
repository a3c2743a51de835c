import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "Webhooks",
  lead: "Adressen, über die Bots und andere Systeme in diesem Kanal schreiben können. Jeder, der eine Adresse hat, kann schreiben.",
  add: "Neuer Webhook",
  none: "Noch keine Webhooks. Erstellen Sie einen, damit ein Skript oder ein anderes System hier schreiben kann.",
  failed: "Die Webhooks konnten nicht geladen werden",
  lastUsed: "Zuletzt verwendet",
  neverUsed: "Nie verwendet",
  url: "Adresse",
  urlHint: "Halten Sie sie geheim: Jeder, der sie hat, kann schreiben.",
  curl: "Aus einem Terminal schreiben",
  curlHint: "Mit einem Header Idempotency-Key erscheint ein Beitrag, der zweimal gesendet wird, nur einmal.",
  lost: "Die Adresse kann nicht angezeigt werden, weil der Schlüssel, mit dem sie verschlüsselt wurde, nicht mehr verwendet wird. Sie funktioniert weiterhin. Um eine Adresse zu sehen, erstellen Sie eine neue.",
  example: "Schiff **ahoi**",

  tool: "Was schreibt",
  setups: {
    curl: { label: "Ein Skript", steps: "Senden Sie JSON mit dem Feld content in Markdown." },
    slack: {
      label: "Slack-kompatibel",
      steps:
        "Fügen Sie die Adresse dort ein, wo das Programm nach dem eingehenden Webhook von Slack fragt. Jenkins, GitLab und Argo CD können das.",
      example: "Mit dem Client von Slack",
    },
    discord: {
      label: "Discord-kompatibel",
      steps: "Fügen Sie die Adresse dort ein, wo das Programm nach dem Webhook von Discord fragt.",
    },
    alertmanager: {
      steps: "Ergänzen Sie in der Konfiguration von Alertmanager einen Receiver und leiten Sie Alarme an ihn.",
    },
    grafana: {
      steps:
        "Öffnen Sie in Grafana Alerting, Contact points, fügen Sie einen vom Typ Webhook hinzu und fügen Sie die Adresse als URL ein.",
      example: "Oder als Datei für die Provisionierung",
    },
    uptimeKuma: {
      steps:
        "Öffnen Sie in Uptime Kuma Einstellungen, Benachrichtigungen, Benachrichtigung einrichten. Wählen Sie Webhook, fügen Sie die Adresse als Post URL ein und wählen Sie Preset - application/json.",
    },
    github: {
      steps:
        "Öffnen Sie im Repository Settings, Webhooks, Add webhook. Fügen Sie die Adresse als Payload URL ein. Beide Content Types funktionieren. Wählen Sie die gewünschten Ereignisse.",
    },
    titleMessage: {
      label: "Titel und Nachricht",
      steps:
        "Für Programme, deren Inhalt Sie selbst schreiben, und für solche, die einen Titel mit einer Nachricht senden, etwa Apprise und ntfy.",
      example: "Inhalt",
    },
  },

  threads: "Threads",
  threadsHint:
    "Beiträge zu einem Alarm, einem Pull Request oder einem Lauf werden zu einem Thread. Der erste Beitrag zeigt den aktuellen Stand.",

  requests: {
    title: "Letzte Anfragen",
    reload: "Neu laden",
    failed: "Die Anfragen konnten nicht geladen werden",
    none: "An dieser Adresse ist noch nichts eingegangen.",
    posted: "Veröffentlicht",
    repeated: "Wiederholt",
    refused: (status) => `Abgelehnt (${status})`,
    unknown: "Unbekanntes Format",
  },

  test: "Testbeitrag senden",
  testContent: (name) => `Dies ist ein Test des Webhooks ${name}.`,
  tested: "Der Test wurde im Kanal veröffentlicht.",
  testFailed: "Der Test konnte nicht veröffentlicht werden",
  edit: "Name oder Bild ändern",
  rotate: "Neue Adresse",
  remove: "Löschen",

  dialog: {
    create: "Neuer Webhook",
    edit: "Webhook bearbeiten",
    name: "Name",
    nameHint: "Wird über seinen Beiträgen angezeigt.",
    nameMissing: "Geben Sie einen Namen ein.",
    editHint: "Frühere Beiträge behalten ihren Namen und ihr Bild. Die Adresse bleibt gleich.",
    make: "Webhook erstellen",
    save: "Speichern",
    makeFailed: "Der Webhook konnte nicht erstellt werden",
    saveFailed: "Die Änderung konnte nicht gespeichert werden",
  },

  askRotate: {
    title: (name) => `Adresse von ${name} ersetzen?`,
    text: "Die aktuelle Adresse funktioniert sofort nicht mehr. Geben Sie die neue allen, die darüber schreiben.",
    action: "Adresse ersetzen",
    failed: "Die Adresse konnte nicht ersetzt werden",
    done: (name) => `${name} hat eine neue Adresse.`,
  },
  askRemove: {
    title: (name) => `${name} löschen?`,
    text: "Die Adresse funktioniert sofort nicht mehr. Die Beiträge bleiben im Kanal, unter „Gelöschter Webhook“.",
    action: "Webhook löschen",
    failed: "Der Webhook konnte nicht gelöscht werden",
    done: (name) => `${name} wurde gelöscht.`,
  },
} satisfies AppTexts["channels/webhooks"];
