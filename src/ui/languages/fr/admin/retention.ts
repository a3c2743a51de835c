import type { AdminTexts } from "../../admin-texts.ts";
import { number } from "../format.ts";

export default {
  title: "Conservation des données",
  sub: "Nombre de jours pendant lesquels les données des membres de cette organisation sont conservées. Laissez un champ vide pour utiliser la valeur par défaut des paramètres. 0 conserve les données sans limite.",
  name: "durées de conservation",
  fields: {
    chats: "Discussions",
    files: "Fichiers",
    channel_messages: "Messages des canaux",
    logs: "Journaux",
  },
  hints: {
    chats: "Jours après la dernière modification. Les discussions épinglées et archivées sont supprimées aussi.",
    files:
      "Jours après le téléversement. Les fichiers présents dans une discussion, un canal, un modèle ou une base de connaissances sont conservés.",
    channel_messages: "Jours après la publication.",
    logs: "Appels de modèles, journal d’audit, envois de webhooks et réponses d’API stockées.",
  },
  wrong: "Saisissez un nombre entier de jours jusqu’à 36 500, ou laissez vide.",
  saved: "Enregistré. Les durées s’appliquent dans l’heure.",
  preview: {
    action: "Voir ce qui serait supprimé",
    again: "Recompter",
    counting: "Comptage en cours. Cela peut prendre un moment.",
    failed: "Impossible de compter ce qui serait supprimé",
    nothing: "Rien ne serait supprimé maintenant.",
    caption: "Ce qui serait supprimé maintenant",
    columns: { kind: "Quoi", count: "Nombre", bytes: "Taille", oldest: "Plus ancien" },
    kinds: {
      chats: "Discussions",
      files: "Fichiers",
      channel_messages: "Messages des canaux",
      calls: "Appels de modèles",
      audit_events: "Entrées du journal d’audit",
      deliveries: "Envois de webhooks",
      responses: "Réponses d’API stockées",
    },
    count: (value) => number.format(value),
    fix: "Corrigez d’abord les valeurs.",
  },
} satisfies AdminTexts["admin/retention"];
