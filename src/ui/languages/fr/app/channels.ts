import type { AppTexts } from "../../app-texts.ts";
import { list, number, people, plural } from "../format.ts";

const others = (n: number): string => plural(n, { one: "# autre", other: "# autres" });
const replies = (n: number): string => plural(n, { one: "# réponse", other: "# réponses" });
const newMessages = (n: number): string => plural(n, { one: "# nouveau message", other: "# nouveaux messages" });

export default {
  channels: "Canaux",
  direct: "Messages directs",
  untitled: "Conversation",

  rail: {
    add: "Nouveau canal ou nouvelle conversation",
    make: "Nouveau canal",
    browse: "Parcourir les canaux",
    write: "Nouveau message",
    all: "Tous les canaux",
    failed: "Impossible de charger les canaux",
    empty: "Vos canaux s’afficheront ici.",
    unread: (n, isMore) =>
      isMore ? `plus de ${number.format(n)} non lus` : plural(n, { one: "# non lu", other: "# non lus" }),
    mentions: (n) => plural(n, { one: "# mention de vous", other: "# mentions de vous" }),
    private: "Canal privé",
    public: "Canal public",
    more: (n) => `${number.format(n)}+`,
  },

  home: {
    title: "Canaux",
    lead: "Là où votre équipe, les bots et les modèles échangent.",
    empty: "Vous ne faites encore partie d’aucun canal. Parcourez les canaux, ou créez le premier.",
    none: "Aucun message",
    people,
  },

  page: {
    loadFailed: "Impossible de charger le canal",
    messagesFailed: "Impossible de charger les messages",
    notFound: "Ce canal n’existe pas, ou il est privé et vous n’en êtes pas membre.",
    notAllowed:
      "Seuls les membres peuvent lire ce canal. Un gestionnaire du canal peut vous ajouter. En tant qu’administrateur, vous pouvez tout de même modifier ses paramètres.",
    switchedOff: "Les canaux sont désactivés ici. Un administrateur peut les activer.",
    noRight: "Votre compte n’est pas autorisé à utiliser les canaux. Un administrateur peut l’autoriser.",
    others: "Tous les canaux",
    empty: (name) => `Ici commence ${name}. Écrivez le premier message.`,
    emptyPreview: "Aucun message pour l’instant.",
    beginning: (name) => `Ici commence ${name}`,
    log: (name) => `Messages dans ${name}`,
    earlier: "Messages précédents",
    later: "Messages suivants",
    latest: "Plus récents",
    newBelow: newMessages,
    newLine: "Nouveau",
    today: "Aujourd’hui",
    yesterday: "Hier",
    members: (n) => plural(n, { one: "# membre", other: "# membres" }),
    pins: "Messages épinglés",
    search: "Rechercher dans ce canal",
    settings: "Paramètres du canal",
    actions: "Autres actions du canal",
    said: (name, text) => `${name} : ${text}`,
    manySaid: newMessages,
  },

  mention: {
    by: (name) => `${name} vous a mentionné dans un fil :`,
    more: (n) => `et ${others(n)}`,
  },

  preview: {
    text: (name) =>
      `Vous consultez ${name}. Rejoignez le canal pour recevoir ses messages. Publier un message vous y ajoute aussi.`,
    join: "Rejoindre le canal",
    failed: "Impossible de rejoindre le canal",
  },

  composer: {
    label: (name) => `Message à ${name}`,
    labelThread: "Répondre dans ce fil",
    placeholder: (name) => `Écrire à ${name}`,
    placeholderThread: "Répondre",
    attach: "Joindre des fichiers",
    quoting: (name) => `Citation : ${name}`,
    dropQuote: "Retirer la citation",
    tooLong: (over) =>
      `Le message dépasse la limite de ${plural(over, { one: "# caractère", other: "# caractères" })}. Raccourcissez-le ou joignez-le comme fichier.`,
  },

  message: {
    edited: "modifié",
    pinned: "Épinglé",
    deleted: "Ce message a été supprimé.",
    bot: "Webhook",
    service: "Compte de service",
    model: "Modèle",
    streaming: "écrit",
    failed: "Le modèle n’a pas répondu",
    sending: "Envoi",
    waiting: "En attente de la connexion",
    notSent: "Non envoyé",
    again: "Renvoyer",
    discard: "Abandonner",
    from: (name, when) => `${name}, ${when}`,
    replies,
    latestReply: "dernière :",
    quoted: (name) => `En réponse à ${name}`,
    quoteGone: "En réponse à un message supprimé",
    showAll: "Tout afficher",
    showLess: "Afficher moins",
  },

  actions: {
    label: (name) => `Actions pour ce message : ${name}`,
    react: "Réagir",
    quote: "Citer",
    thread: "Répondre dans un fil",
    edit: "Modifier",
    pin: "Épingler au canal",
    unpin: "Désépingler",
    copy: "Copier le texte",
    copyLink: "Copier le lien",
    remove: "Supprimer",
    stop: "Arrêter la réponse",
    regenerate: "Régénérer",
    copied: "Copié.",
    failed: "L’action a échoué. Le message est inchangé.",
    notCopied: "Le navigateur a bloqué la copie.",
  },

  remove: {
    title: "Supprimer ce message ?",
    text: "Il sera supprimé pour toutes les personnes du canal.",
    textThread: "Son texte sera supprimé pour tout le monde. Les réponses sont conservées.",
    action: "Supprimer le message",
    failed: "Impossible de supprimer le message",
  },

  edit: {
    label: "Modifier votre message",
    save: "Enregistrer",
    cancel: "Annuler",
    hint: "Échap pour annuler, Entrée pour enregistrer.",
    failed: "Impossible d’enregistrer la modification",
  },

  reactions: {
    label: "Réactions",
    choose: "Choisir une réaction",
    more: "Ajouter une réaction",
    by: (emoji, names, more) => `${emoji} ${list.format(more > 0 ? [...names, others(more)] : names)}`,
    you: "vous",
  },

  thread: {
    title: "Fil",
    failed: "Impossible de charger le fil",
    gone: "Ce message n’existe plus.",
    none: "Aucune réponse pour l’instant.",
    replies,
    log: "Réponses",
  },

  pins: {
    title: "Messages épinglés",
    none: "Aucun message épinglé. Épinglez les messages que l’on doit pouvoir retrouver.",
    failed: "Impossible de charger les messages épinglés",
    show: "Afficher dans le canal",
    more: "Afficher plus",
  },

  search: {
    title: "Recherche",
    label: "Rechercher dans ce canal",
    hint: "Saisissez des mots du message.",
    none: (query) => `Aucun message ne correspond à « ${query} ».`,
    failed: "La recherche a échoué",
    results: (n) => plural(n, { one: "# message trouvé", other: "# messages trouvés" }),
    inThread: "dans un fil",
    palette: "Messages dans les canaux",
    paletteChannels: "Canaux",
  },

  panels: { members: "Membres", webhooks: "Webhooks", file: "Fichier" },

  typing: (names, more) =>
    `${list.format(more > 0 ? [...names, others(more)] : names)} ${names.length + more === 1 ? "écrit" : "écrivent"}`,

  keys: {
    group: "Canal",
    send: "Envoyer",
    newline: "Nouvelle ligne",
    editLast: "Modifier votre dernier message (champ vide)",
    close: "Fermer le fil ou le panneau",
  },
} satisfies AppTexts["channels"];
