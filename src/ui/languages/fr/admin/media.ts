import type { AdminTexts } from "../../admin-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Images et voix",
  sub: "Quelles connexions créent des images, transcrivent la parole et lisent les réponses à voix haute.",
  failed: "Impossible de charger les paramètres",
  images: {
    title: "Images créées par des modèles",
    sub: "Le modèle reçoit la description, et les images à modifier.",
  },
  audio: {
    title: "Voix",
    sub: "Chacun peut choisir une voix et une vitesse sous Paramètres, Voix.",
  },
  engines: { "": "Le navigateur de chacun", openai: "Une connexion", off: "Rien" },
  none: "Aucune",
  trial: {
    title: "Essayer",
    sub: "Interroge le modèle enregistré ci-dessus. L’image devient l’un de vos fichiers.",
    prompt: "Description",
    standard: "Un phare au crépuscule, façon gravure sur bois",
    test: "Créer une image",
    testing: "Création de l’image. Cela peut prendre une minute.",
    testStale: "La description a changé depuis la dernière image.",
    testFailed: "Aucune image n’a été créée",
    made: (seconds) =>
      plural(Math.round(seconds * 10) / 10, { one: "Créée en # seconde.", other: "Créée en # secondes." }),
    missing: "Saisissez une description.",
  },
} satisfies AdminTexts["admin/media"];
