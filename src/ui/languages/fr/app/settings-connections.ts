import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "Connexions",
  sub: "Des fournisseurs que vous payez vous-même. Vous seul voyez et utilisez leurs modèles.",
  add: "Ajouter une connexion",
  list: "Vos connexions",
  columns: { name: "Connexion", state: "État", on: "Activée", actions: "Actions" },
  failed: "Impossible de charger vos connexions",
  none: "Connectez un fournisseur avec votre propre clé : ses modèles apparaîtront dans votre liste.",
  closed:
    "Vous n’avez actuellement pas le droit d’utiliser vos propres connexions : leurs modèles n’apparaissent donc pas. Vous pouvez toujours les supprimer.",
  closedNone: "Les connexions personnelles sont désactivées. Un administrateur peut les activer.",
  deleted: (name) => `La connexion ${name} a été supprimée.`,
  deleteText: "Ses modèles disparaissent de votre liste et sa clé est supprimée. Les discussions sont conservées.",
  edit: {
    newSub:
      "Saisissez l’adresse et la clé, testez-les et enregistrez. La clé est stockée chiffrée et n’est plus jamais affichée.",
    main: "Adresse et clé",
    presetHint: "Remplit l’adresse et les particularités connues de son API.",
    namePlaceholder: "Mes modèles",
    prefixHint: "Ajouté devant chaque ID de modèle. Utile si deux de vos fournisseurs ont des modèles du même nom.",
    idHint: (prefix) =>
      `Dans l’API, ses modèles ont des ID comme direct.${prefix === "" ? "" : `${prefix}.`}model-name.`,
    privacy:
      "Ce que vous écrivez à ces modèles est envoyé à ce fournisseur. Ses appels ne comptent dans aucun quota ici. Les discussions partagées, les canaux et les plugins d’autres personnes ne peuvent pas les utiliser.",
    dangerText: "Ses modèles disparaissent de votre liste.",
  },
} satisfies AppTexts["settings/connections"];
