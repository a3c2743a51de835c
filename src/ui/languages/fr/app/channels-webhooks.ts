import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "Webhooks",
  lead: "Des adresses qui permettent à des bots et à d’autres systèmes de publier dans ce canal. Toute personne qui possède une adresse peut publier.",
  add: "Nouveau webhook",
  none: "Aucun webhook pour l’instant. Créez-en un pour qu’un script ou un autre système puisse publier ici.",
  failed: "Impossible de charger les webhooks",
  lastUsed: "Dernière utilisation",
  neverUsed: "Jamais utilisé",
  url: "Adresse",
  urlHint: "Gardez-la secrète : toute personne qui la possède peut publier.",
  curl: "Publier depuis un terminal",
  curlHint: "Avec un en-tête Idempotency-Key, un message envoyé deux fois n’apparaît qu’une fois.",
  lost: "L’adresse ne peut pas être affichée, car la clé qui l’a chiffrée n’est plus utilisée. Elle fonctionne toujours. Pour voir une adresse, créez-en une nouvelle.",
  example: "Navire **en vue**",

  tool: "Origine des messages",
  setups: {
    curl: { label: "Un script", steps: "Envoyez du JSON avec le champ content, au format Markdown." },
    slack: {
      label: "Compatible Slack",
      steps:
        "Collez l’adresse là où le programme demande le webhook entrant de Slack. Jenkins, GitLab et Argo CD le permettent.",
      example: "Avec le client de Slack",
    },
    discord: {
      label: "Compatible Discord",
      steps: "Collez l’adresse là où le programme demande le webhook de Discord.",
    },
    alertmanager: {
      steps: "Ajoutez un récepteur à la configuration d’Alertmanager et routez-y les alertes.",
    },
    grafana: {
      steps:
        "Dans Grafana, ouvrez Alerting, Contact points, ajoutez un point de contact de type Webhook et collez l’adresse comme URL.",
      example: "Ou dans un fichier de provisionnement",
    },
    uptimeKuma: {
      steps:
        "Dans Uptime Kuma, ouvrez Settings, Notifications, Setup notification. Choisissez Webhook, collez l’adresse dans Post URL et choisissez Preset - application/json.",
    },
    github: {
      steps:
        "Dans le dépôt, ouvrez Settings, Webhooks, Add webhook. Collez l’adresse dans Payload URL. Les deux types de contenu fonctionnent. Choisissez les événements voulus.",
    },
    titleMessage: {
      label: "Titre et message",
      steps:
        "Pour les programmes dont vous écrivez vous-même le corps, et pour ceux qui envoient un titre avec un message, comme Apprise et ntfy.",
      example: "Corps",
    },
  },

  threads: "Fils",
  threadsHint:
    "Les messages sur une même alerte, pull request ou exécution forment un fil. Le premier message indique l’état actuel.",

  requests: {
    title: "Dernières requêtes",
    reload: "Recharger",
    failed: "Impossible de charger les requêtes",
    none: "Rien n’est encore arrivé à cette adresse.",
    posted: "Publiée",
    repeated: "Renvoyée",
    refused: (status) => `Refusée (${status})`,
    unknown: "Format inconnu",
  },

  test: "Envoyer un test",
  testContent: (name) => `Ceci est un test du webhook ${name}.`,
  tested: "Le test a été publié dans le canal.",
  testFailed: "Impossible de publier le test",
  edit: "Changer le nom ou l’image",
  rotate: "Nouvelle adresse",
  remove: "Supprimer",

  dialog: {
    create: "Nouveau webhook",
    edit: "Modifier le webhook",
    name: "Nom",
    nameHint: "Affiché au-dessus de ses messages.",
    nameMissing: "Saisissez un nom.",
    editHint: "Les messages précédents gardent leur nom et leur image. L’adresse ne change pas.",
    make: "Créer le webhook",
    save: "Enregistrer",
    makeFailed: "Impossible de créer le webhook",
    saveFailed: "Impossible d’enregistrer la modification",
  },

  askRotate: {
    title: (name) => `Remplacer l’adresse du webhook « ${name} » ?`,
    text: "L’adresse actuelle cesse immédiatement de fonctionner. Communiquez la nouvelle à tous ceux qui l’utilisent pour publier.",
    action: "Remplacer l’adresse",
    failed: "Impossible de remplacer l’adresse",
    done: (name) => `${name} a une nouvelle adresse.`,
  },
  askRemove: {
    title: (name) => `Supprimer ${name} ?`,
    text: "Son adresse cesse immédiatement de fonctionner. Ses messages restent dans le canal, sous le nom « Webhook supprimé ».",
    action: "Supprimer le webhook",
    failed: "Impossible de supprimer le webhook",
    done: (name) => `${name} a été supprimé.`,
  },
} satisfies AppTexts["channels/webhooks"];
