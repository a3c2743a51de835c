import type { AdminTexts } from "../../admin-texts.ts";

export default {
  title: "Avisos",
  sub: "Avisos sobre todas las páginas, para las personas con sesión iniciada.",
  none: "No hay avisos.",
  add: "Añadir un aviso",
  failed: "No se pudieron cargar los avisos",
  notSaved: "No se pudieron guardar los avisos",
  saved: "Avisos: guardado. Se ven al abrir o recargar una página.",
  changes: "Avisos",
  of: (n) => `Aviso ${n}`,
  type: "Tipo",
  types: { info: "Información", success: "Buenas noticias", warning: "Advertencia", error: "Problema" },
  heading: "Título (opcional)",
  content: "Texto",
  contentHint: "Markdown, como **negrita** y [enlaces](https://example.com).",
  missing: "Escribe el texto del aviso.",
  dismissible: "Se puede cerrar",
  dismissibleHint: "Si lo cambias, vuelve a aparecer.",
  remove: (n) => `Quitar el aviso ${n}`,
  up: (n) => `Subir el aviso ${n}`,
  down: (n) => `Bajar el aviso ${n}`,
} satisfies AdminTexts["admin/banners"];
