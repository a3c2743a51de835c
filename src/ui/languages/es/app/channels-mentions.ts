import type { AppTexts } from "../../app-texts.ts";
import { plural } from "../format.ts";

export default {
  label: "Personas, modelos y canales",
  people: "Personas",
  models: "Modelos",
  channels: "Canales",
  model: "Responde en el hilo",
  outside: "Fuera del canal",
  loading: "Buscando",
  none: "No hay a quién mencionar aquí",
  noChannels: "No hay canales que mencionar aquí",
  failed: "No se pudieron cargar las personas",
  found: (n) => plural(n, { one: `${n} nombre`, other: `${n} nombres` }),
  begin: "Mencionar a alguien",
} satisfies AppTexts["channels/mentions"];
