import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "Instrucciones",
  sub: "Qué deben saber los modelos de ti y cómo deben responder, en todos tus chats.",
  card: "Tus instrucciones",
  label: "Instrucciones",
  placeholder: "Trabajo en la oficina del puerto. Responde con brevedad y usa unidades métricas.",
  hint: "Van después de las instrucciones del modelo y antes de las de una carpeta y las del chat. Puedes desactivarlas en los parámetros de un chat.",
  failed: "No se pudieron cargar tus instrucciones",
  notSaved: "No se pudieron guardar tus instrucciones",
  saved: "Tus instrucciones se guardaron.",
  notAllowed: "Tu cuenta no puede definir instrucciones. Un administrador puede permitirlo.",
} satisfies AppTexts["settings/instructions"];
