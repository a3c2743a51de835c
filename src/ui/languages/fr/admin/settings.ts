import type { AdminTexts } from "../../admin-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Paramètres",
  sub: "Paramètres pour tout le monde. Les valeurs définies par des variables d’environnement sont affichées ici, mais ne peuvent être modifiées que là-bas.",
  failed: "Impossible de charger les paramètres",
  sections: {
    general: { title: "Général", sub: "Nom, adresse et images d’autres sites." },
    accounts: { title: "Comptes", sub: "Qui peut s’inscrire et se connecter, et pour combien de temps." },
    retention: {
      title: "Conservation des données",
      sub: "Nombre de jours de conservation des données, pour les organisations sans durées propres. 0 conserve les données sans limite.",
    },
    limits: {
      title: "Limites",
      sub: "Ce dont une personne, une organisation et le service peuvent disposer. 0 signifie sans limite.",
    },
    keys: {
      title: "Clés API",
      sub: "Si des scripts peuvent agir au nom des personnes, et ce qu’ils peuvent atteindre.",
    },
    sso: { title: "Authentification unique", sub: "Définie au démarrage du service." },
    scim: { title: "Provisionnement", sub: "Défini au démarrage du service." },
    chat: { title: "Discussions", sub: "Ce qui se passe à côté d’une réponse." },
    models: { title: "Modèles", sub: "Qui voit quels modèles, et lequel est proposé par défaut." },
    documents: { title: "Documents", sub: "Ce qui peut être téléversé, et comment les fichiers sont lus." },
    retrieval: { title: "Recherche dans les documents", sub: "Comment les passages sont créés et trouvés." },
    channels: { title: "Canaux", sub: "Là où échangent personnes, bots et modèles." },
    connections: { title: "Connexions", sub: "Comment les fournisseurs sont appelés." },
    network: { title: "Réseau", sub: "Quelles adresses Parley peut appeler." },
    service: { title: "Service", sub: "Défini au démarrage du service." },
  },
  /** Sections that have a page of their own. */
  elsewhere: {
    keys: {
      text: "Ces paramètres se trouvent sur la page des clés API.",
      href: "/admin/keys",
      action: "Ouvrir les clés API",
    },
    sso: {
      text: "Définie au démarrage du service. La page de l’authentification unique présente les fournisseurs et leurs variables.",
      href: "/admin/sso",
      action: "Ouvrir la page SSO",
    },
    documents: {
      text: "Ces paramètres se trouvent sur la page des documents.",
      href: "/admin/documents",
      action: "Ouvrir les documents",
    },
    retrieval: {
      text: "Ces paramètres se trouvent sur la page des documents.",
      href: "/admin/documents",
      action: "Ouvrir les documents",
    },
    scim: {
      text: "Défini au démarrage du service. La page du provisionnement présente son état.",
      href: "/admin/scim",
      action: "Ouvrir le provisionnement",
    },
  },
  /** The table of what the environment sets. */
  environment: {
    title: "Variables",
    columns: { setting: "Paramètre", variable: "Variable", value: "Valeur" },
    on: "activé",
    off: "désactivé",
    empty: "vide",
    none: "Aucune variable n’est définie. Toutes ont leur valeur par défaut.",
    all: (count) => plural(count, { one: "Afficher la variable", other: "Afficher les # variables" }),
  },
  locked: (name) => `Défini par l’environnement (${name}).`,
  hidden: "Jamais affiché",
  lines: "Un élément par ligne.",
  choices: {
    pending: "En attente, jusqu’à l’approbation par un administrateur",
    user: "Membre immédiatement",
    everyone: "Toutes les personnes connectées",
    admins: "Administrateurs uniquement",
    ask: "Après un clic",
    show: "Immédiatement",
    link: "Jamais : un lien s’affiche à la place",
    dev: "dev",
    prod: "prod",
  },
  notNumber: "Saisissez un nombre.",
  notSaved: "Impossible d’enregistrer les paramètres",
  saved: (section) => `${section} : enregistré. Les modifications s’appliquent immédiatement.`,
} satisfies AdminTexts["admin/settings"];
