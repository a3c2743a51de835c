import type { AppTexts } from "../../app-texts.ts";
import { plural } from "../format.ts";

export default {
  label: "Pessoas, modelos e canais",
  people: "Pessoas",
  models: "Modelos",
  channels: "Canais",
  model: "Responde no tópico",
  outside: "Fora do canal",
  loading: "Buscando",
  none: "Ninguém para mencionar aqui",
  noChannels: "Nenhum canal para mencionar aqui",
  failed: "Não foi possível carregar as pessoas",
  found: (n) => plural(n, { one: "# nome", other: "# nomes" }),
  begin: "Mencionar alguém",
} satisfies AppTexts["channels/mentions"];
