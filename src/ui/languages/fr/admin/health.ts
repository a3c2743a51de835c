import type { AdminTexts } from "../../admin-texts.ts";
import { list, number, plural } from "../format.ts";

export default {
  title: "État du service",
  sub: "Les trois mêmes contrôles que ceux d’une supervision, lancés maintenant depuis ce navigateur.",
  again: "Vérifier de nouveau",
  copy: "Copier",
  levels: {
    1: { name: "Service et base de données", how: "GET /health" },
    2: { name: "Des modèles sont listés", how: "GET /api/models" },
    3: { name: "Un modèle répond", how: "POST /api/chat/completions" },
  },
  state: { waiting: "Vérification", ok: "OK", failed: "Échec", idle: "Pas encore vérifié" },
  reasons: {
    database_unreachable:
      "La base de données ne répond pas. D’ici là, personne ne peut se connecter ni lire de discussions.",
    database_slow: "La base de données met plus de 1,5 seconde à répondre.",
    schema_outdated:
      "Le schéma de la base de données est plus ancien que celui dont cette version a besoin. Lancez les migrations.",
  },
  noAnswer: "Le service ne répond pas.",
  models: (count) => plural(count, { one: "# modèle", other: "# modèles" }),
  noModels: "Aucun modèle n’est listé : tous les fournisseurs sont injoignables, ou aucun n’est connecté.",
  unreachable: (names) => `Sans réponse : ${names}.`,
  ask: "Interroger un modèle",
  model: "Modèle",
  question: "Réponds en un mot : prêt",
  answered: (answer) => `Il a répondu : « ${answer} »`,
  empty: "Le modèle a envoyé une réponse vide.",
  levelThreeHint: "Une courte question est envoyée au modèle. Un fournisseur peut la facturer.",
  time: (milliseconds) => `${number.format(Math.round(milliseconds))} ms`,
  monitor: {
    title: "Pour votre supervision",
    text: "La commande ci-dessous lance les trois contrôles de l’extérieur. Son code de sortie est le numéro du premier contrôle en échec. Créez un compte distinct pour elle.",
  },
  runners: {
    title: "Exécuteurs natifs",
    ready: "Prêt",
    failed: "Indisponible",
    problems: {
      unreachable: "Il ne répond pas.",
      token: "Il a un autre RUNNER_TOKEN.",
      answer: "Il ne répond pas comme un exécuteur.",
      protocol: "Sa version ne correspond pas à celle de ce service.",
      detached: "RUNNERS ne le mentionne plus : ses plugins ne s’exécutent donc pas.",
    },
    wall: "Ses plugins n’accèdent au réseau que par le proxy protégé.",
    noWall: (why) =>
      `Ses plugins peuvent contourner le proxy protégé, car le système ne leur donne pas de réseau à part : ${why}`,
    state: (version, used, max) =>
      `Python ${version}, ${number.format(used)} processus utilisés sur ${number.format(max)}`,
    plugins: (names) => `Plugins : ${list.format(names)}`,
    noPlugins: "Aucun plugin ne s’exécute ici.",
  },
  version: (version) => `Version ${version}`,
} satisfies AdminTexts["admin/health"];
