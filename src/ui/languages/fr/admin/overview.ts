import type { AdminTexts } from "../../admin-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Vue d’ensemble",
  sub: (name) => `Comment se porte ${name}, et ce qui demande votre attention.`,
  tiles: { people: "Personnes", waiting: "En attente", connections: "Connexions", models: "Modèles" },
  history: {
    title: "Évolution",
    span: "Période",
    spans: { hour: "Dernière heure", day: "24 dernières heures", week: "7 derniers jours" },
    loading: "Chargement des chiffres",
    failed: "Impossible de charger les chiffres",
    empty: "Pas encore de chiffres",
    emptyText: "Les premiers chiffres apparaissent sous deux minutes.",
    notKept: "Les chiffres ne sont pas enregistrés sur cette plateforme. Utilisez ses propres outils d’analyse.",
    time: "Heure",
    nothing: "non enregistré",
    seconds: (count) => `${count} s`,
    label: (title, span) => `${title}. ${span}.`,
    plots: {
      requests: { title: "Requêtes", parts: { lower: "Abouties", upper: "En échec" } },
      firstByte: { title: "Délai avant le premier mot", parts: { lower: "Moyenne" } },
      tokens: { title: "Tokens", parts: { lower: "Entrée", upper: "Sortie" } },
      jobs: { title: "Travail en file d’attente", parts: { lower: "Maximum" } },
      people: { title: "Personnes avec la page ouverte", parts: { lower: "Maximum" } },
      disk: { title: "Disque", parts: { lower: "Utilisé", upper: "Libre" } },
    },
  },
  attention: {
    title: "À surveiller",
    none: "Rien ne demande votre attention.",
    unknown: "Impossible de vérifier ce qui demande votre attention.",
    waiting: (count) =>
      plural(count, {
        one: "# personne attend d’être approuvée.",
        other: "# personnes attendent d’être approuvées.",
      }),
    waitingAction: "Voir les personnes",
    down: (name) => `La connexion ${name} ne répond pas.`,
    downAction: "Voir la connexion",
    noConnection: "Aucun modèle n’est connecté. D’ici là, seul le guide intégré répond.",
    noConnectionAction: "Connecter un modèle",
    noModels: "Aucun modèle n’est listé, bien qu’il y ait des connexions. Personne ne peut discuter pour le moment.",
    noModelsAction: "Voir les connexions",
    sick: (reason) => `Le service a un problème. ${reason}`,
    sickAction: "Voir l’état du service",
    webhook: "Le webhook du service a été désactivé, car son destinataire n’acceptait plus les envois.",
    webhookAction: "Voir pourquoi",
    diskLow: (size) => `Le disque est presque plein : il reste ${size}, et les téléversements sont refusés.`,
    backupLate: "Une sauvegarde est en retard.",
    storageAction: "Voir le stockage",
    onlyAdmin:
      "Vous êtes le seul administrateur. Si vous perdez votre mot de passe, personne ne pourra vous redonner l’accès.",
    onlyAdminAction: "Ajouter un autre administrateur",
  },
  health: { title: "État du service", more: "Tous les contrôles" },
  failed: {
    people: "Impossible de compter les personnes",
    connections: "Impossible de charger les connexions",
  },
} satisfies AdminTexts["admin/overview"];
