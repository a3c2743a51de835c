import type { AdminTexts } from "../../admin-texts.ts";

export default {
  title: "Aprovisionamiento (SCIM)",
  sub: "Un proveedor de identidad añade, modifica y desactiva aquí personas y grupos. Esta página muestra si funciona.",
  failed: "No se pudo cargar el estado del aprovisionamiento",
  on: "Activado",
  off: "Desactivado",
  state: "Conexión",
  base: "URL base para el proveedor de identidad",
  baseHint: "Cópiala sin cambios en el campo “Tenant URL” o “SCIM connector base URL” del proveedor.",
  provider: "Proveedor de inicio de sesión",
  providerNone: "Sin definir (SCIM_AUTH_PROVIDER)",
  providerUnknown: "Sin configurar",
  providerUnknownHint:
    "Las solicitudes que usan externalId fallan con 500. Define SCIM_AUTH_PROVIDER con un proveedor configurado.",
  providerHint: "Al iniciar sesión, las personas se asocian a este proveedor por externalId.",
  tokens: "Tokens aceptados",
  noTokens: "Ninguno",
  rotate:
    "Para cambiar el token: define SCIM_TOKEN_PREVIOUS con el anterior y SCIM_TOKEN con el nuevo, reinicia, escribe el nuevo en el proveedor y quita después el anterior.",
  allowlist: "Direcciones aceptadas",
  everyAddress: "Todas las direcciones",
  tiles: { users: "Personas visibles", groups: "Grupos visibles" },
  last: "Última solicitud",
  never: "Nunca",
  switchOn: {
    title: "Cómo activarlo",
    text: "El aprovisionamiento se define al iniciar el servicio, así que nadie puede activarlo desde una página. Define estas variables y reinicia:",
    variables: "Variables",
    example: (token) => `SCIM_ENABLED=true\nSCIM_TOKEN=${token}\nSCIM_AUTH_PROVIDER=oidc`,
    token:
      "El token es una sugerencia, generada en este navegador y no almacenada. SCIM_AUTH_PROVIDER es el ID del proveedor con el que las personas inician sesión.",
    base: "URL base para el proveedor de identidad",
  },
  requests: {
    title: "Últimas solicitudes",
    only: "Solo errores",
    refresh: "Actualizar",
    operation: "Operación",
    refused: "Rechazada",
    done: "Hecha",
    failed: "No se pudieron cargar las solicitudes",
    none: "Aún no hay solicitudes. Pulsa “Test connection” en tu proveedor de identidad y la solicitud aparecerá aquí.",
    noFailures: "No hay solicitudes con error.",
    noneOff: "Aún no hay solicitudes. Mientras el aprovisionamiento está desactivado, todas se rechazan.",
  },
} satisfies AdminTexts["admin/scim"];
