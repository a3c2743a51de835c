import type { AppTexts } from "../../app-texts.ts";

export default {
  set: "Definir un estado",
  title: "Tu estado",
  text: "¿Qué estás haciendo?",
  placeholder: "p. ej. En una reunión",
  emoji: "Elegir un emoji",
  clearAfter: "Borrarlo",
  ends: {
    never: "Nunca",
    halfHour: "En 30 minutos",
    hour: "En 1 hora",
    fourHours: "En 4 horas",
    today: "Hoy",
    week: "Esta semana",
    kept: "A la hora fijada",
  },
  hint: "Las personas de tu organización lo ven en los canales.",
  save: "Guardar",
  clear: "Borrar estado",
  failed: "No se pudo guardar el estado",
  usual: {
    meeting: "En una reunión",
    lunch: "Comiendo",
    home: "Trabajando desde casa",
    holiday: "De vacaciones",
    sick: "De baja",
  },
} satisfies AppTexts["status"];
