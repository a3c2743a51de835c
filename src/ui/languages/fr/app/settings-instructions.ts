import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "Instructions",
  sub: "Ce que les modèles doivent savoir de vous, et comment ils doivent répondre, dans toutes vos discussions.",
  card: "Vos instructions",
  label: "Instructions",
  placeholder: "Je travaille à la capitainerie. Réponds brièvement et utilise les unités métriques.",
  hint: "Elles viennent après les instructions du modèle, et avant celles d’un dossier et de la discussion. Vous pouvez les désactiver dans les paramètres d’une discussion.",
  failed: "Impossible de charger vos instructions",
  notSaved: "Impossible d’enregistrer vos instructions",
  saved: "Vos instructions ont été enregistrées.",
  notAllowed: "Votre compte n’est pas autorisé à définir des instructions. Un administrateur peut l’autoriser.",
} satisfies AppTexts["settings/instructions"];
