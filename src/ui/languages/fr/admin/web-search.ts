import type { AdminTexts } from "../../admin-texts.ts";
import { number, plural } from "../format.ts";

export default {
  title: "Recherche web",
  sub: "Pour les questions dont la réponse se trouve sur le Web. Chacun l’active pour une discussion.",
  failed: "Impossible de charger les paramètres",
  settings: {
    title: "Fournisseur et pages",
    sub: "Le fournisseur reçoit les recherches, et rien d’autre d’une discussion.",
  },
  engines: {
    "": "Aucun",
    searxng: "SearXNG",
    brave: "Brave",
    tavily: "Tavily",
    google_pse: "Google Programmable Search",
    external: "Votre propre fournisseur (JSON)",
    mcp: "Un outil d’un serveur MCP",
  },
  none: "Aucun",
  trial: {
    title: "Essayer",
    sub: "Interroge le fournisseur enregistré ci-dessus.",
    query: "Recherche",
    standard: "horaires d’ouverture du port",
    test: "Rechercher",
    testing: "Recherche en cours",
    testStale: "Relancez la recherche : son texte a changé.",
    testFailed: "La recherche a échoué",
    found: (count, milliseconds) =>
      count === 0
        ? "Le fournisseur a répondu, mais n’a rien trouvé sur les sites autorisés."
        : `${plural(count, { one: "# résultat", other: "# résultats" })} en ${number.format(milliseconds)} ms :`,
    missing: "Saisissez une recherche.",
  },
} satisfies AdminTexts["admin/web-search"];
