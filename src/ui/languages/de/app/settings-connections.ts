import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "Verbindungen",
  sub: "Anbieter, die Sie selbst bezahlen. Nur Sie sehen und verwenden deren Modelle.",
  add: "Verbindung hinzufügen",
  list: "Ihre Verbindungen",
  columns: { name: "Verbindung", state: "Status", on: "Ein", actions: "Aktionen" },
  failed: "Ihre Verbindungen konnten nicht geladen werden",
  none: "Verbinden Sie einen Anbieter mit einem eigenen Schlüssel, und seine Modelle stehen in Ihrer Liste.",
  closed:
    "Sie dürfen derzeit keine eigenen Verbindungen verwenden, daher werden deren Modelle nicht aufgeführt. Löschen können Sie sie weiterhin.",
  closedNone: "Eigene Verbindungen sind ausgeschaltet. Ein Administrator kann sie einschalten.",
  deleted: (name) => `Die Verbindung ${name} wurde gelöscht.`,
  deleteText: "Die Modelle verschwinden aus Ihrer Liste, und der Schlüssel wird gelöscht. Chats bleiben erhalten.",
  edit: {
    newSub:
      "Geben Sie Adresse und Schlüssel ein, testen Sie sie, und speichern Sie. Der Schlüssel wird verschlüsselt gespeichert und nie wieder angezeigt.",
    main: "Adresse und Schlüssel",
    presetHint: "Trägt die Adresse und die bekannten Besonderheiten der API ein.",
    namePlaceholder: "Meine Modelle",
    prefixHint: "Wird vor jede Modell-ID gesetzt. Nützlich, wenn zwei Ihrer Anbieter gleichnamige Modelle haben.",
    idHint: (prefix) => `In der API haben die Modelle IDs wie direct.${prefix === "" ? "" : `${prefix}.`}model-name.`,
    privacy:
      "Was Sie diesen Modellen schreiben, geht an diesen Anbieter. Die Aufrufe zählen hier zu keinem Kontingent. Geteilte Chats, Kanäle und Plugins anderer können sie nicht verwenden.",
    dangerText: "Die Modelle verschwinden aus Ihrer Liste.",
  },
} satisfies AppTexts["settings/connections"];
