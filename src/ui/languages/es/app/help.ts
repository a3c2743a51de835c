import type { AppTexts } from "../../app-texts.ts";

export default {
  back: "Volver a los chats",
  title: "Ayuda",
  sub: "Cómo funciona Parley, para quienes lo usan, lo administran o lo amplían.",
  all: "Todas las páginas",
  search: "Buscar en la ayuda",
  searchFailed: "No se pudo buscar en las páginas de ayuda",
  none: (query) => `Ninguna página contiene “${query}”.`,
  failed: "No se pudo cargar la página",
  missing: "No hay ninguna página de ayuda en esta dirección.",
  contents: "En esta página",
} satisfies AppTexts["help"];
