import type { AppTexts } from "../../app-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Souvenirs",
  sub: "Ce que les modèles doivent savoir de vous dans vos discussions. Personne d’autre ne le voit.",
  off: "Les souvenirs sont désactivés. Les vôtres sont conservés, mais les modèles ne les reçoivent pas. Demandez à un administrateur de les activer.",
  notAllowed:
    "Votre compte n’est pas autorisé à utiliser les souvenirs. Un administrateur peut accorder l’autorisation « Utiliser les souvenirs » à tout le monde ou à l’un de vos groupes.",
  use: {
    title: "Utilisation",
    memory: "Utiliser les souvenirs dans les discussions",
    memoryHint:
      "Les modèles reçoivent ceux qui correspondent à votre question. Pas dans les canaux ni dans les discussions temporaires.",
    tool: "Les modèles peuvent ajouter des souvenirs",
    toolHint: "Vous voyez chaque nouveau souvenir dans la réponse et pouvez l’y annuler.",
    failed: "Impossible de charger vos paramètres",
    notStored: "Impossible d’enregistrer le paramètre",
  },
  card: "Vos souvenirs",
  search: "Rechercher des souvenirs",
  failed: "Impossible de charger vos souvenirs",
  none: "Rien n’est encore mémorisé. Ajoutez quelque chose que les modèles doivent savoir, par exemple ce sur quoi vous travaillez ou le style de réponse que vous préférez.",
  notFound: (query) => `Aucun souvenir ne contient « ${query} ».`,
  found: (n) => plural(n, { one: "# souvenir", other: "# souvenirs" }),
  add: {
    label: "Nouveau souvenir",
    placeholder: "Je travaille sur les marées et j’aime les réponses courtes",
    action: "Ajouter",
    missing: "Écrivez ce qui doit être mémorisé.",
    failed: "Impossible d’ajouter le souvenir",
  },
  topic: { label: "Sujet (facultatif)", placeholder: "travail/port" },
  always: {
    label: "Toujours le transmettre aux modèles",
    hint: "Sinon, seulement quand il correspond à la question",
    mark: "Toujours transmis",
  },
  edit: "Modifier",
  editOf: (text) => ` le souvenir ${text}`,
  change: {
    label: "Souvenir",
    save: "Enregistrer",
    cancel: "Annuler",
    failed: "Impossible d’enregistrer le souvenir",
  },
  delete: "Supprimer",
  deleted: "Le souvenir a été supprimé.",
  undo: "Annuler",
  deleteFailed: "Impossible de supprimer le souvenir",
  source: { you: "Vous", model: "Un modèle", chat: "Ouvrir la discussion" },
  changed: "Modifié",
  made: "Ajouté",
  all: {
    action: "Tout supprimer",
    title: (n) => plural(n, { one: "Supprimer votre souvenir ?", other: "Supprimer les # souvenirs ?" }),
    text: "Les modèles ne sauront plus rien de tout cela. Les souvenirs supprimés ne peuvent pas être restaurés.",
    confirm: "Tout supprimer",
    failed: "Impossible de supprimer les souvenirs",
    done: "Tous les souvenirs ont été supprimés.",
  },
} satisfies AppTexts["settings/memories"];
