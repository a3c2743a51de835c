import type { AppTexts } from "../../app-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Emojis",
  insert: "Insertar un emoji",
  search: "Buscar emojis",
  found: (n) => plural(n, { one: "# emoji", other: "# emojis" }),
  none: (query) => `Ningún emoji para “${query}”.`,
  loading: "Cargando más emojis",
  failed: "No se pudieron cargar más emojis.",
  usual: "Usados a menudo",
  /** By the number of their group. */
  groups: {
    0: "Caritas",
    1: "Personas",
    3: "Animales y naturaleza",
    4: "Comida y bebida",
    5: "Viajes y lugares",
    6: "Actividades",
    7: "Objetos",
    8: "Símbolos",
    9: "Banderas",
  },
} satisfies AppTexts["channels/emoji"];
