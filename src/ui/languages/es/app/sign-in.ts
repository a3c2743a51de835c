import type { AppTexts } from "../../app-texts.ts";
import { plural } from "../format.ts";

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  return [
    minutes > 0 && plural(minutes, { one: "# minuto", other: "# minutos" }),
    (rest > 0 || minutes === 0) && plural(rest, { one: "# segundo", other: "# segundos" }),
  ]
    .filter(Boolean)
    .join(" y ");
}

export default {
  signIn: {
    title: "Iniciar sesión",
    action: "Iniciar sesión",
    other: "¿Primera vez aquí?",
    otherAction: "Crear una cuenta",
    failed: "No se pudo iniciar sesión",
    wrong: "El correo o la contraseña no son correctos.",
    closed: "El inicio de sesión con contraseña está desactivado. Pregunta a tu administrador cómo iniciar sesión.",
    signedOut: "La sesión se ha cerrado.",
    newPassword: "Tu contraseña nueva está lista. Inicia sesión con ella.",
    forgotten: "¿Has olvidado la contraseña?",
  },
  signUp: {
    title: "Crear una cuenta",
    first: "Crear la primera cuenta",
    firstSub: "Será la cuenta de administrador.",
    action: "Crear cuenta",
    other: "¿Ya tienes una cuenta?",
    otherAction: "Iniciar sesión",
    failed: "No se pudo crear la cuenta",
    closed:
      "Solo los administradores pueden crear cuentas. Habla con un administrador o inicia sesión si ya tienes una cuenta.",
  },
  /** Where signing in with the password asks for a second factor. */
  code: {
    text: "Escribe el código de tu aplicación de autenticación o uno de tus códigos de recuperación.",
    label: "Código",
    missing: "Escribe el código.",
    wrong: "Ese código no es correcto o ya se ha usado. Espera al siguiente.",
    back: "Usar otra cuenta",
  },
  passkey: {
    action: "Entrar con una llave de acceso",
    use: "Usar una llave de acceso",
    orCode:
      "Confirma con una llave de acceso, o escribe un código de tu aplicación de autenticación o uno de tus códigos de recuperación.",
    orRecovery: "Confirma con una llave de acceso o escribe uno de tus códigos de recuperación.",
    recoveryOnly:
      "Las llaves de acceso no funcionan en este navegador o en esta dirección. Escribe uno de tus códigos de recuperación.",
    wrong: "Esta llave de acceso no funciona aquí. Quizá se haya quitado. Inicia sesión de otra manera.",
    cancelled: "No se confirmó nada. Inténtalo de nuevo o inicia sesión de otra manera.",
    unusable: "La llave de acceso no funciona en este navegador o en esta dirección. Inicia sesión de otra manera.",
  },
  join: {
    title: "Unirse",
    from: (name) => `${name} te invita a crear una cuenta.`,
    fromTo: (name, organization) => `${name} te invita a unirte a ${organization}.`,
    action: "Crear cuenta",
    failed: "No se pudo crear la cuenta",
    loading: "Cargando la invitación",
    noToken: "Esta dirección no está completa. Abre el enlace entero de la invitación.",
    overTitle: "Esta invitación no se puede usar",
    lookFailed: "No se pudo cargar la invitación",
    onlyFor: "La invitación es para esta dirección.",
    signedInAs: (email) => `Sesión iniciada como ${email}. Ciérrala antes de crear otra cuenta.`,
    toApp: "Abrir Parley",
    noWay: "No hay ninguna forma de iniciar sesión activada. Pregunta a tu administrador.",
  },
  forgotten: {
    title: "¿Has olvidado la contraseña?",
    sub: "Escribe tu dirección de correo. Si tiene una cuenta con contraseña, recibirás un enlace para elegir otra.",
    action: "Enviar enlace",
    failed: "No se pudo enviar el enlace",
    sent: (email) =>
      `Si ${email} tiene una cuenta con contraseña, va en camino un correo con un enlace. El enlace funciona durante una hora.`,
    off: "Desde aquí no se pueden enviar correos. Pide a un administrador un enlace para elegir una contraseña nueva.",
    back: "Volver al inicio de sesión",
  },
  newPassword: {
    title: "Elegir una contraseña nueva",
    sub: (email) => `Para ${email}. Se cierran todas las sesiones de la cuenta.`,
    field: "Contraseña nueva",
    action: "Definir contraseña",
    failed: "No se pudo definir la contraseña",
    lookFailed: "No se pudo comprobar el enlace",
    overTitle: "Este enlace no se puede usar",
    noToken: "Esta dirección no está completa. Abre el enlace entero.",
    again: "Pedir un enlace nuevo",
  },
  fields: {
    name: "Nombre",
    email: "Correo electrónico",
    password: "Contraseña",
    passwordHint: "Al menos 8 caracteres. Unas cuantas palabras se recuerdan mejor que los símbolos.",
  },
  missing: {
    name: "Escribe tu nombre.",
    email: "Escribe una dirección de correo, como ada@harbour.example.",
    password: "Escribe tu contraseña.",
    newPassword: "Usa al menos 8 caracteres.",
    longPassword: "Usa como máximo 1024 bytes.",
  },
  sso: {
    with: (name) => `Continuar con ${name}`,
    going: (name) => `Abriendo ${name}`,
    newTab: " en una pestaña nueva",
    or: "o",
    onItsWay: (name) => `Abriendo ${name}.`,
    stay: "Seguir en esta página",
    waiting: "Inicia sesión allí y vuelve después a esta pestaña. Continuará automáticamente.",
    failed: "No se pudo iniciar sesión",
    unknown:
      "No se pudo iniciar sesión con el proveedor. Inténtalo de nuevo. Si sigue fallando, avisa a tu administrador.",
    /** Why signing in with a provider failed, by the code in the address, and what to do next. */
    errors: {
      sso_denied:
        "El proveedor rechazó el inicio de sesión o se canceló. Inténtalo de nuevo y permite el acceso cuando se te pida.",
      sso_expired: "El inicio de sesión tardó demasiado o la página se abrió dos veces. Empieza de nuevo desde aquí.",
      sso_no_account:
        "Todavía no tienes una cuenta y al iniciar sesión no se crea ninguna. Pide a tu administrador que te añada.",
      sso_email_taken:
        "Ya existe una cuenta con tu dirección de correo y usa otro método de inicio de sesión. Inicia sesión como antes o pide a tu administrador que vincule las cuentas.",
      sso_email_missing:
        "El proveedor no envió tu dirección de correo, que es obligatoria. Pide a tu administrador que lo cambie en el proveedor.",
      sso_email_unverified:
        "Tu dirección de correo aún no está verificada en el proveedor. Verifícala allí e inténtalo de nuevo.",
      sso_domain_not_allowed:
        "El dominio de tu dirección de correo no está permitido. Usa tu cuenta de trabajo o pregunta a tu administrador.",
      sso_account_inactive: "Tu cuenta está desactivada. Pide a tu administrador que la active de nuevo.",
      sso_organization_inactive: "Tu organización está desactivada. Pregunta a tu administrador.",
      sso_other_invitation:
        "La invitación es para otra dirección de correo. Inicia sesión con la cuenta a la que se envió o pide una invitación para esta.",
      sso_role_not_allowed: "Ninguno de tus roles permite usar este servicio. Pide acceso a tu administrador.",
      sso_provider_failed:
        "No se pudo contactar con el proveedor o su respuesta no fue válida. Inténtalo más tarde. Si sigue fallando, avisa a tu administrador. El motivo está en el registro del servicio.",
    },
  },
  pause: (seconds) => `Demasiados intentos. Podrás volver a intentarlo en ${duration(seconds)}.`,
  pauseOver: "Ya puedes intentarlo de nuevo.",
  again: {
    title: "Iniciar sesión de nuevo",
    text: "Tu sesión ha terminado. Inicia sesión para continuar donde estabas. No se pierde nada de lo escrito.",
    other: "Usar otra cuenta",
    action: "Iniciar sesión y continuar",
    noForm:
      "Tu sesión ha terminado. Inicia sesión en una pestaña nueva para continuar aquí. No se pierde nada de lo escrito.",
  },
  waiting: {
    title: "Tu cuenta está pendiente de aprobación",
    text: "Un administrador debe aprobar tu cuenta. Después, esta página continuará automáticamente.",
    contact: (name) => `Puedes preguntar a ${name}:`,
    check: "Comprobar ahora",
    checked: "Aún no está aprobada. Se acaba de comprobar.",
    signOut: "Cerrar sesión",
    signedInAs: (email) => `Sesión iniciada como ${email}`,
    failed: "No se pudo comprobar la aprobación",
  },
} satisfies AppTexts["sign-in"];
