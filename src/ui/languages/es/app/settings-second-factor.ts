import type { AppTexts } from "../../app-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Segundo factor",
  sub: "Un código de una aplicación de tu teléfono, además de tu contraseña. Así, la contraseña sola no basta para entrar.",
  failed: "No se pudo cargar tu segundo factor",
  required: {
    title: "Configurar un segundo factor",
    sub: "Es obligatorio para tu cuenta. Se tarda un minuto y necesitas una aplicación de autenticación en tu teléfono.",
    signOut: "Cerrar sesión",
  },
  sso: "Inicias sesión mediante tu proveedor de identidad, que decide si pide un segundo factor.",
  app: {
    title: "Aplicación de autenticación",
    off: "Sin configurar.",
    on: "Al iniciar sesión con la contraseña se pide un código de la aplicación.",
    since: "Configurada",
    password: "Tu contraseña",
    start: "Configurar",
    startFailed: "No se pudo empezar la configuración",
    wrongPassword: "Esa no es tu contraseña.",
    scan: "Escanea esta imagen con tu aplicación de autenticación y escribe el código que muestre.",
    picture: "Código QR para tu aplicación de autenticación",
    secret: "O escribe esta clave en la aplicación",
    code: "Código",
    codeHint: "Seis cifras.",
    confirm: "Terminar",
    confirmFailed: "No se pudo terminar la configuración",
    wrongCode: "Ese código no es correcto o ya se ha usado. Espera al siguiente.",
    missing: "Escribe el código.",
    remove: "Quitar",
    removeTitle: "¿Quitar el segundo factor?",
    removeText: "La contraseña sola volverá a bastar para entrar.",
    removed: "El segundo factor se quitó.",
    removeFailed: "No se pudo quitar el segundo factor",
    anyCode: "Un código de la aplicación o de recuperación",
    needed: "Tu cuenta requiere un segundo factor, así que no se puede quitar.",
  },
  recovery: {
    title: "Códigos de recuperación",
    left: (count) =>
      count === 0
        ? "No queda ningún código. Crea códigos nuevos."
        : plural(count, { one: "Queda un código.", other: "Quedan # códigos." }),
    what: "Cada uno permite iniciar sesión una vez, si has perdido el teléfono.",
    show: "Guarda estos códigos en un lugar seguro, como un gestor de contraseñas. Solo se muestran una vez.",
    codes: "Códigos de recuperación",
    renew: "Crear códigos nuevos",
    renewTitle: "¿Crear códigos de recuperación nuevos?",
    renewText: "Los códigos que tienes ahora dejarán de funcionar.",
    renewFailed: "No se pudieron crear los códigos",
    saved: "Ya los he guardado",
  },
} satisfies AppTexts["settings/second-factor"];
