import type { AdminTexts } from "../../admin-texts.ts";

export default {
  title: "Provisionnement (SCIM)",
  sub: "Un fournisseur d’identité ajoute, modifie et désactive ici des personnes et des groupes. Cette page montre si cela fonctionne.",
  failed: "Impossible de charger l’état du provisionnement",
  on: "Activé",
  off: "Désactivé",
  state: "Connexion",
  base: "URL de base pour le fournisseur d’identité",
  baseHint: "Saisissez-la telle quelle dans le champ « Tenant URL » ou « SCIM connector base URL » du fournisseur.",
  provider: "Fournisseur de connexion",
  providerNone: "Non défini (SCIM_AUTH_PROVIDER)",
  providerUnknown: "Non configuré",
  providerUnknownHint:
    "Les requêtes qui utilisent externalId échouent avec 500. Donnez à SCIM_AUTH_PROVIDER la valeur d’un fournisseur configuré.",
  providerHint: "Les personnes sont associées à ce fournisseur par externalId quand elles se connectent.",
  tokens: "Jetons acceptés",
  noTokens: "Aucun",
  rotate:
    "Pour changer le jeton : mettez l’ancien dans SCIM_TOKEN_PREVIOUS et le nouveau dans SCIM_TOKEN, redémarrez, saisissez le nouveau chez le fournisseur, puis retirez l’ancien.",
  allowlist: "Adresses acceptées",
  everyAddress: "Toutes les adresses",
  tiles: { users: "Personnes visibles", groups: "Groupes visibles" },
  last: "Dernière requête",
  never: "Jamais",
  switchOn: {
    title: "Comment l’activer",
    text: "Le provisionnement se définit au démarrage du service : personne ne peut l’activer depuis une page. Définissez ces variables et redémarrez :",
    variables: "Variables",
    example: (token) => `SCIM_ENABLED=true\nSCIM_TOKEN=${token}\nSCIM_AUTH_PROVIDER=oidc`,
    token:
      "Le jeton est une proposition, générée dans ce navigateur et non stockée. SCIM_AUTH_PROVIDER est l’ID du fournisseur avec lequel les personnes se connectent.",
    base: "URL de base pour le fournisseur d’identité",
  },
  requests: {
    title: "Dernières requêtes",
    only: "Échecs uniquement",
    refresh: "Actualiser",
    operation: "Opération",
    refused: "Refusée",
    done: "Terminée",
    failed: "Impossible de charger les requêtes",
    none: "Aucune requête pour l’instant. Cliquez sur « Test connection » chez votre fournisseur d’identité, et la requête apparaîtra ici.",
    noFailures: "Aucune requête en échec.",
    noneOff:
      "Aucune requête pour l’instant. Tant que le provisionnement est désactivé, toutes les requêtes sont refusées.",
  },
} satisfies AdminTexts["admin/scim"];
