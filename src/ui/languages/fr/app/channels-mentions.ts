import type { AppTexts } from "../../app-texts.ts";
import { plural } from "../format.ts";

export default {
  label: "Personnes, modèles et canaux",
  people: "Personnes",
  models: "Modèles",
  channels: "Canaux",
  model: "Répond dans le fil",
  outside: "Hors du canal",
  loading: "Recherche",
  none: "Personne à mentionner ici",
  noChannels: "Aucun canal à mentionner ici",
  failed: "Impossible de charger les personnes",
  found: (n) => plural(n, { one: `${n} nom`, other: `${n} noms` }),
  begin: "Mentionner quelqu’un",
} satisfies AppTexts["channels/mentions"];
