import type { AdminTexts } from "../../admin-texts.ts";
import { number, plural } from "../format.ts";

export default {
  title: "Documents",
  sub: "Comment les fichiers sont lus et consultés.",
  failed: "Impossible de charger les paramètres",
  stateFailed: "Impossible de charger l’état de l’index",
  tiles: { completed: "Fichiers consultables", pending: "Lecture en cours", failed: "Illisibles" },
  search: {
    title: "Recherche",
    keywordOnly:
      "Aucun modèle d’embeddings n’est sélectionné : la recherche trouve les mots, mais pas le sens. Sélectionnez-en un ci-dessous.",
    serving: (model, dimension) =>
      dimension === null
        ? `La recherche trouve les mots et le sens, avec ${model}.`
        : `La recherche trouve les mots et le sens, avec ${model} (${number.format(dimension)} dimensions).`,
    first: (model) => `${model} indexe les passages. D’ici là, la recherche ne trouve que les mots.`,
    next: (model, serving) => `${model} indexe les passages. D’ici là, la recherche utilise ${serving}.`,
    done: (done, total) => `${number.format(done)} sur ${plural(total, { one: "# passage", other: "# passages" })}`,
    stopped: (reason) => `L’indexation a échoué : ${reason} Une nouvelle tentative aura lieu automatiquement.`,
    progress: "Passages indexés",
  },
  settings: {
    documents: { title: "Fichiers", sub: "Ce qui peut être téléversé, et comment les fichiers sont lus." },
    retrieval: { title: "Passages et recherche", sub: "Comment les textes sont découpés et consultés." },
  },
} satisfies AdminTexts["admin/documents"];
