import type { AppTexts } from "../../app-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Emoji",
  insert: "Inserir emoji",
  search: "Buscar emoji",
  found: (n) => plural(n, { one: "# emoji", other: "# emojis" }),
  none: (query) => `Nenhum emoji para “${query}”.`,
  loading: "Carregando mais emojis",
  failed: "Não foi possível carregar mais emojis.",
  usual: "Mais usados",
  groups: {
    0: "Carinhas",
    1: "Pessoas",
    3: "Animais e natureza",
    4: "Comida e bebida",
    5: "Viagens e lugares",
    6: "Atividades",
    7: "Objetos",
    8: "Símbolos",
    9: "Bandeiras",
  },
} satisfies AppTexts["channels/emoji"];
