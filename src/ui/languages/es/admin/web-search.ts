import type { AdminTexts } from "../../admin-texts.ts";
import { number, plural } from "../format.ts";

export default {
  title: "Búsqueda web",
  sub: "Para preguntas cuyas respuestas están en la web. Cada persona la activa para un chat.",
  failed: "No se pudieron cargar los ajustes",
  settings: { title: "Proveedor y páginas", sub: "El proveedor recibe las consultas y nada más de un chat." },
  engines: {
    "": "Ninguno",
    searxng: "SearXNG",
    brave: "Brave",
    tavily: "Tavily",
    google_pse: "Google Programmable Search",
    external: "Tu propio proveedor (JSON)",
    mcp: "Una herramienta de un servidor MCP",
  },
  none: "Ninguno",
  trial: {
    title: "Probar",
    sub: "Consulta al proveedor guardado arriba.",
    query: "Consulta",
    standard: "horario de apertura del puerto",
    test: "Buscar",
    testing: "Buscando",
    testStale: "Busca de nuevo: la consulta ha cambiado.",
    testFailed: "La búsqueda ha fallado",
    found: (count, milliseconds) =>
      count === 0
        ? "El proveedor respondió, pero no encontró nada en los sitios permitidos."
        : `${plural(count, { one: "# resultado", other: "# resultados" })} en ${number.format(milliseconds)} ms:`,
    missing: "Escribe una consulta.",
  },
} satisfies AdminTexts["admin/web-search"];
