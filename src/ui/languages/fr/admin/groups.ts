import type { AdminTexts } from "../../admin-texts.ts";
import { people, plural } from "../format.ts";

const peopleAdded = (count: number): string =>
  plural(count, { one: "# personne ajoutée", other: "# personnes ajoutées" });

export default {
  title: "Groupes",
  sub: "Des personnes qui ont les mêmes autorisations. Un groupe ne fait qu’ajouter aux autorisations par défaut.",
  add: "Nouveau groupe",
  everyone: "Autorisations par défaut",
  list: "Groupes",
  search: "Rechercher des groupes",
  columns: {
    group: "Groupe",
    organization: "Organisation",
    allows: "Autorisations",
    members: "Personnes",
    actions: "Actions",
  },
  allows: (names) => (names.length === 0 ? "Rien de plus" : names.join(", ")),
  managed: "Géré par le fournisseur d’identité",
  failed: "Impossible de charger les groupes",
  none: "Aucun groupe pour l’instant. Créez-en un pour donner à certaines personnes des autorisations ou des modèles supplémentaires.",
  notFound: (query) => `Aucun groupe ne correspond à « ${query} ».`,
  actionsFor: (name) => `Actions pour ${name}`,
  menu: { open: "Ouvrir", delete: "Supprimer" },
  changed: {
    added: (name) => `Le groupe ${name} a été créé.`,
    deleted: (name) => `Le groupe ${name} a été supprimé.`,
    memberAdded: (count, name) => `${peopleAdded(count)} au groupe ${name}.`,
    memberRemoved: (person, name) => `${person} ne fait plus partie du groupe ${name}.`,
    memberBack: (person, name) => `${person} fait de nouveau partie du groupe ${name}.`,
  },
  changeFailed: (name) => `Impossible de modifier le groupe ${name}`,
  deleteTitle: (name) => `Supprimer le groupe ${name} ?`,
  deleteText: (count) =>
    `${
      count === 0
        ? "Il n’a aucun membre."
        : plural(count, {
            one: "Son unique membre garde son compte, mais perd les autorisations du groupe.",
            other: "Ses # membres gardent leurs comptes, mais perdent les autorisations du groupe.",
          })
    } Les modèles partagés avec le groupe ne le sont plus.`,
  deleteAction: "Supprimer le groupe",
  dialog: {
    name: "Nom",
    namePlaceholder: "Équipe de nuit",
    nameMissing: "Saisissez un nom.",
    description: "Description",
    descriptionHint: "Affichée dans les listes.",
    organization: "Organisation",
    organizationHint:
      "Les groupes de l’organisation par défaut peuvent inclure des personnes de toutes les organisations. Les autres groupes ne peuvent inclure que les personnes de la leur.",
    addAction: "Créer le groupe",
    addFailed: "Impossible de créer le groupe",
  },
  page: {
    back: "Groupes",
    of: (organization) => `Groupe de l’organisation ${organization}`,
    missing: "Ce groupe n’existe plus, ou vous n’y avez pas accès.",
    failed: "Impossible de charger le groupe",
    managed:
      "Un fournisseur d’identité gère ce groupe. Il envoie le nom et les membres, et peut écraser les modifications faites ici.",
    about: "À propos",
    name: "Nom",
    description: "Description",
    share: "Qui peut partager avec le groupe",
    shares: { everyone: "Tout le monde", members: "Ses membres", nobody: "Les administrateurs uniquement" },
    shareHint: "Pour les modèles et les autres éléments que les personnes partagent elles-mêmes.",
    permissions: "Autorisations",
    permissionsSub: "En plus des autorisations par défaut.",
    permissionsFailed: "Impossible de charger les autorisations par défaut",
    save: "Enregistrer",
    saved: "Le groupe a été enregistré.",
    notSaved: "Impossible d’enregistrer le groupe",
    fields: { name: "nom", description: "description", share: "qui peut partager" },
    members: "Personnes",
    addMembers: "Ajouter des personnes",
    addTitle: (name) => `Ajouter des personnes au groupe ${name}`,
    addText: "Elles reçoivent les autorisations du groupe dès leur prochaine requête.",
    addAction: (count) => (count === 0 ? "Ajouter des personnes" : `Ajouter ${people(count)}`),
    addFailed: "Impossible d’ajouter les personnes",
    inAlready: "déjà dans le groupe",
    membersFailed: "Impossible de charger les membres du groupe",
    searchMembers: "Rechercher un nom ou un e-mail",
    noMembers: "Ce groupe n’a encore aucun membre.",
    nobodyFound: (query) => `Aucun membre ne correspond à « ${query} ».`,
    memberColumns: { person: "Personne", actions: "Actions" },
    remove: (name) => `Retirer ${name} du groupe`,
    removeFailed: (name) => `Impossible de retirer ${name}`,
    delete: "Ses membres gardent leurs comptes.",
  },
  defaults: {
    title: "Autorisations par défaut",
    card: "Autorisations",
    sub: "Elles s’appliquent à toutes les personnes approuvées. Les groupes peuvent en ajouter. Les administrateurs peuvent tout faire.",
    back: "Groupes",
    failed: "Impossible de charger les autorisations",
    saved: "Enregistré. S’applique à chacun dès sa prochaine requête.",
    notSaved: "Impossible d’enregistrer les autorisations",
    save: "Enregistrer",
  },
  permissions: {
    already: "Activée pour tout le monde.",
    beyond: "Vous n’avez pas cette autorisation et ne pouvez donc pas l’accorder.",
    keysOff:
      "Les clés API sont désactivées dans Paramètres. Personne ne peut en utiliser tant qu’elles ne sont pas activées.",
    branches: {
      chat: "Dans les discussions",
      features: "Fonctionnalités",
      workspace: "Espace de travail",
      sharing: "Partage",
      access_grants: "Avec qui partager",
    },
    leaves: {
      "chat.file_upload": {
        name: "Téléverser des fichiers",
        hint: "Joindre des documents et des images, et les conserver.",
      },
      "chat.web_upload": {
        name: "Joindre des pages web",
        hint: "Par leur adresse. Parley les récupère et les conserve.",
      },
      "chat.stt": { name: "Dicter", hint: "Parler au lieu d’écrire." },
      "chat.tts": { name: "Se faire lire les réponses", hint: "Par le navigateur ou par un modèle." },
      "chat.edit": { name: "Modifier les messages", hint: "Modifier après coup leurs messages et les réponses." },
      "chat.delete": { name: "Supprimer des discussions", hint: "Supprimer leurs discussions et leurs messages." },
      "chat.system_prompt": {
        name: "Instructions personnalisées",
        hint: "Écrire des instructions pour une discussion.",
      },
      "chat.params": {
        name: "Modifier les paramètres",
        hint: "Régler la température, la longueur, etc. pour une discussion.",
      },
      "chat.multiple_models": {
        name: "Comparer des modèles",
        hint: "Poser la même question à plusieurs modèles côte à côte.",
      },
      "chat.temporary": {
        name: "Discussions temporaires",
        hint: "Des discussions que Parley n’enregistre pas.",
      },
      "chat.temporary_enforced": {
        name: "Discussions temporaires uniquement",
        hint: "Une restriction : leurs discussions ne sont jamais enregistrées. Les administrateurs ne sont pas concernés.",
      },
      "chat.share": { name: "Partager des discussions", hint: "Laisser d’autres lire une discussion grâce à un lien." },
      "chat.rate_response": { name: "Évaluer les réponses", hint: "Dire ce que valent les réponses, et pourquoi." },
      "chat.fork": {
        name: "Copier des discussions",
        hint: "Dupliquer leurs discussions, ou en continuer une à partir d’un message dans une nouvelle discussion.",
      },
      "chat.export": {
        name: "Exporter des discussions",
        hint: "Télécharger leurs discussions sous forme de fichiers.",
      },
      "chat.import": {
        name: "Importer des discussions",
        hint: "Importer des discussions depuis des fichiers, et copier celles partagées avec eux.",
      },
      "features.api_keys": {
        name: "Utiliser des clés API",
        hint: "Créer des clés qui permettent à des scripts d’agir en leur nom.",
      },
      "features.direct_connections": {
        name: "Connecter leurs propres fournisseurs",
        hint: "Avec leurs propres clés, pour eux seuls. ENABLE_DIRECT_CONNECTIONS l’active pour le service.",
      },
      "features.direct_tool_servers": {
        name: "Ajouter leurs propres serveurs d’outils",
        hint: "Des serveurs OpenAPI et MCP qu’eux seuls utilisent.",
      },
      "features.execute_events": {
        name: "Laisser les plugins exécuter du code dans le navigateur",
        hint: "Dans un cadre isolé, sans la session de la personne ni le réseau.",
      },
      "features.channels": {
        name: "Utiliser les canaux",
        hint: "Lire et publier là où échangent personnes, bots et modèles.",
      },
      "features.previews": {
        name: "Voir des aperçus",
        hint: "Pages, tableaux et diagrammes des réponses, à côté de la discussion.",
      },
      "features.context_compaction": {
        name: "Résumer les longues discussions",
        hint: "Les modèles reçoivent un résumé du début. Sans lui, les discussions s’arrêtent là où s’arrête le contexte du modèle.",
      },
      "features.code_execution": {
        name: "Exécuter du code",
        hint: "Le Python et le JavaScript des réponses, de façon isolée et sans réseau.",
      },
      "features.code_interpreter": {
        name: "Laisser les modèles exécuter du code",
        hint: "Une option du champ de message, désactivée tant qu’elle n’est pas utilisée.",
      },
      "features.memories": {
        name: "Utiliser les souvenirs",
        hint: "Des informations sur eux que les modèles reçoivent dans leurs discussions.",
      },
      "features.webhooks": {
        name: "Utiliser des webhooks",
        hint: "Envoyer un message à une adresse quand une réponse est terminée.",
      },
      "features.folders": {
        name: "Utiliser des dossiers",
        hint: "Ranger les discussions dans des dossiers, avec des instructions et des fichiers.",
      },
      "features.image_generation": { name: "Créer des images", hint: "Par un modèle, si l’un est configuré." },
      "features.web_search": {
        name: "Rechercher sur le Web",
        hint: "Pour une réponse, si un fournisseur est configuré.",
      },
      "workspace.models": {
        name: "Créer des modèles",
        hint: "Leurs propres modèles, avec un nom et des instructions.",
      },
      "workspace.knowledge": {
        name: "Créer des bases de connaissances",
        hint: "Des collections de fichiers à consulter.",
      },
      "workspace.prompts": {
        name: "Créer des prompts",
        hint: "Des textes à insérer dans une discussion avec une commande /.",
      },
      "workspace.tools": {
        name: "Écrire des outils",
        hint: "Leurs propres plugins, exécutés isolément de tout le reste.",
      },
      "sharing.models": {
        name: "Partager des modèles",
        hint: "Partager leurs modèles avec des personnes ou des groupes choisis.",
      },
      "sharing.public_models": {
        name: "Partager des modèles avec tous",
        hint: "Partager leurs modèles avec tout le monde.",
      },
      "sharing.knowledge": {
        name: "Partager des connaissances",
        hint: "Partager leurs bases de connaissances avec des personnes ou des groupes choisis.",
      },
      "sharing.public_knowledge": {
        name: "Partager des connaissances avec tous",
        hint: "Partager leurs bases de connaissances avec tout le monde.",
      },
      "sharing.prompts": {
        name: "Partager des prompts",
        hint: "Partager leurs prompts avec des personnes ou des groupes choisis.",
      },
      "sharing.public_prompts": {
        name: "Partager des prompts avec tous",
        hint: "Partager leurs prompts avec tout le monde.",
      },
      "sharing.folders": {
        name: "Partager des dossiers",
        hint: "Partager des dossiers de discussions avec des personnes ou des groupes choisis.",
      },
      "sharing.public_folders": {
        name: "Partager des dossiers avec tous",
        hint: "Partager des dossiers de discussions avec tout le monde.",
      },
      "sharing.public_chats": {
        name: "Partager des discussions avec tous",
        hint: "Avec toutes les personnes connectées, y compris celles d’autres organisations.",
      },
      "sharing.public_channels": {
        name: "Créer des canaux publics",
        hint: "Toutes les personnes de l’organisation peuvent les trouver.",
      },
      "sharing.tools": {
        name: "Partager des outils",
        hint: "Partager leurs outils avec des personnes ou des groupes choisis.",
      },
      "sharing.public_tools": {
        name: "Partager des outils avec tous",
        hint: "Partager leurs outils avec tout le monde.",
      },
      "access_grants.allow_users": { name: "Des personnes précises", hint: "Si le partage est autorisé." },
      "access_grants.allow_groups": { name: "Des groupes", hint: "Si le partage est autorisé." },
    },
  },
} satisfies AdminTexts["admin/groups"];
