import type { AppTexts } from "../../app-texts.ts";
import { chats, plural } from "../format.ts";

export default {
  title: "Dossiers",
  new: "Nouveau dossier",
  nameLabel: "Nom du dossier",
  newLabel: "Nom du nouveau dossier",
  open: (name) => `Afficher le contenu du dossier ${name}`,
  close: (name) => `Masquer le contenu du dossier ${name}`,
  actions: (name) => `Actions pour le dossier ${name}`,
  by: (name) => `Partagé par ${name}`,
  empty: "Aucune discussion",
  all: "Toutes les discussions",
  menu: {
    newChat: "Nouvelle discussion ici",
    open: "Ouvrir",
    newInside: "Nouveau sous-dossier",
    rename: "Renommer",
    move: "Déplacer vers un dossier…",
    moveOut: "Sortir du dossier",
    remove: "Supprimer",
  },
  failed: {
    create: "Impossible de créer le dossier",
    rename: "Impossible de renommer le dossier",
    move: "Le déplacement a échoué",
  },
  move: {
    title: (name) => `Déplacer « ${name} »`,
    label: "Dossier",
    top: "Aucun dossier",
    outside: "Hors de tout autre dossier",
    action: "Déplacer",
    failed: "Le déplacement a échoué",
    none: "Il n’y a pas encore de dossier. Créez-en un avec le plus à côté de « Dossiers ».",
    done: (name, folder) =>
      folder === undefined
        ? `« ${name} » n’est plus dans aucun dossier.`
        : `« ${name} » est maintenant dans « ${folder} ».`,
  },
  remove: {
    title: (name) => `Supprimer le dossier « ${name} » ?`,
    inside: (n) =>
      plural(n, {
        one: "Le dossier qu’il contient sera aussi supprimé.",
        other: "Les # dossiers qu’il contient seront aussi supprimés.",
      }),
    empty: "Il ne contient aucune de vos discussions.",
    keep: "Garder les discussions",
    keepHint: (n) =>
      plural(n, {
        one: "# discussion retournera dans la liste, hors de tout dossier.",
        other: "# discussions retourneront dans la liste, hors de tout dossier.",
      }),
    drop: "Supprimer les discussions",
    dropHint: (n) =>
      plural(n, {
        one: "# discussion sera définitivement supprimée.",
        other: "# discussions seront définitivement supprimées.",
      }),
    choice: "Que faire des discussions que vous y avez ?",
    others: "Les discussions des personnes avec qui vous le partagez restent les leurs.",
    action: "Supprimer le dossier",
    actionAll: (n) => `Supprimer le dossier et ${chats(n)}`,
    failed: "Impossible de supprimer le dossier",
    mayNot: "Il vous faut l’autorisation de supprimer des discussions. Un administrateur peut vous l’accorder.",
  },
  page: {
    sub: "Les discussions de ce dossier et ses paramètres.",
    back: "Discussions",
    missing: "Ce dossier n’existe pas, ou il n’est pas partagé avec vous.",
    failed: "Impossible de charger le dossier",
    newChat: "Nouvelle discussion",
    chats: "Discussions",
    inside: "Sous-dossiers",
    none: "Vos discussions de ce dossier s’afficheront ici.",
    more: "Afficher plus",
    chatsFailed: "Impossible de charger les discussions",
    search: "Rechercher dans ce dossier",
    nothing: (query) => `Aucune discussion de ce dossier ne correspond à « ${query} ».`,
    readOnly: (name) => `${name} partage ce dossier avec vous. Vous seul voyez les discussions que vous y avez.`,
    readOnlyRights: "Vous ne pouvez pas modifier ses paramètres.",
  },
  about: {
    title: "Paramètres",
    sub: "Ils s’appliquent à toutes les discussions de ce dossier et de ses sous-dossiers.",
    name: "Nom",
    nameMissing: "Un dossier doit avoir un nom.",
    instructions: "Instructions",
    instructionsHint: "Chaque modèle les reçoit, avant les instructions de la discussion.",
    mayNotInstruct:
      "Il vous faut l’autorisation d’utiliser des instructions personnalisées. Un administrateur peut vous l’accorder.",
    model: "Modèle des nouvelles discussions",
    ownModel: "Dernier modèle utilisé",
    saved: "Le dossier est enregistré.",
  },
  knowledge: {
    title: "Fichiers et connaissances",
    sub: "Consultés pour chaque question posée dans ce dossier. Les personnes avec qui vous le partagez n’y trouvent que ce qu’elles ont le droit de lire.",
    none: "Rien pour l’instant.",
    find: "Rechercher fichiers et connaissances",
    nothing: "Aucun résultat.",
    failed: "La recherche a échoué",
    remove: (name) => `Retirer ${name}`,
    changed: "Fichiers et connaissances",
    saved: "Les fichiers et connaissances sont enregistrés.",
  },
  access: {
    title: "Partage",
    sub: "Qui peut utiliser ce dossier. Ces personnes voient ses paramètres, mais jamais vos discussions. Avec le droit d’écriture, elles peuvent le modifier.",
    nobody: "Vous uniquement",
    changed: "Partage",
    saved: "Le partage est enregistré.",
  },
  welcome: (name) => `Nouvelle discussion dans ${name}`,
} satisfies AppTexts["chat/folders"];
