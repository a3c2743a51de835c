import type { AdminTexts } from "../../admin-texts.ts";
import { days, number, plural } from "../format.ts";

export default {
  invite: "Invitar",
  card: "Invitaciones",
  table: "Invitaciones",
  columns: {
    who: "Para",
    role: "Rol",
    from: "Invitación de",
    ends: "Caduca",
    state: "Estado",
    actions: "Acciones",
  },
  anyone: "Cualquiera con el enlace",
  roles: { user: "Miembro", admin: "Administrador" },
  states: {
    open: "Abierta",
    void: "Ya no es válida",
    used: "Usada",
    expired: "Caducada",
    revoked: "Revocada",
  },
  usedBy: (name) => `Usada por ${name}`,
  voidHint:
    "Algo que la invitación necesita ha cambiado: un grupo o la organización ya no existe, o la persona que invitó ya no puede invitar.",
  failed: "No se pudieron cargar las invitaciones",
  takeBack: "Revocar",
  takeBackOf: (who) => ` la invitación para ${who}`,
  takeBackTitle: "¿Revocar la invitación?",
  takeBackText: "Su enlace deja de funcionar de inmediato.",
  takeBackFailed: "No se pudo revocar la invitación",
  takenBack: "La invitación se revocó.",
  dialog: {
    title: "Invitar a alguien",
    text: "Obtienes un enlace con el que se crea una cuenta. Cada persona elige su nombre y su contraseña.",
    email: "Correos (opcional)",
    emailHint: "Cada dirección recibe un enlace que solo ella puede usar. Sepáralas con comas, espacios o líneas.",
    emailWrong: "Escribe una dirección de correo, como ada@harbour.example.",
    tooMany: (most) => `Como máximo ${number.format(most)} direcciones a la vez.`,
    refused: (lines) => `Estas direcciones no se invitaron:\n${lines}`,
    reasons: {
      invalid_email: "no es una dirección de correo",
      email_taken: "ya tiene una cuenta",
      limit_reached: "tienes demasiadas invitaciones abiertas",
    },
    send: "Enviar el enlace por correo",
    role: "Rol",
    organization: "Organización",
    byRules: "Según las reglas de asignación",
    groups: "Grupos",
    searchGroups: "Buscar grupos",
    chosen: (count) =>
      count === 0 ? "Ningún grupo elegido" : plural(count, { one: "# elegido", other: "# elegidos" }),
    noGroups: "No hay grupos.",
    days: "Validez del enlace",
    dayCount: days,
    action: (count) => (count < 2 ? "Crear invitación" : plural(count, { other: "Crear # invitaciones" })),
    failed: "No se pudo crear la invitación",
    madeTitle: (count) => plural(count, { one: "La invitación está lista", other: "# invitaciones están listas" }),
    sent: (emails) =>
      emails.length === 1
        ? `Un correo con el enlace va de camino a ${emails[0]}. También puedes copiarlo.`
        : plural(emails.length, {
            other: "Los correos con los enlaces van de camino a # personas. También puedes copiar los enlaces.",
          }),
    copy: (count) =>
      count === 1
        ? "Envía este enlace a la persona. Solo se muestra una vez y funciona una vez."
        : "Envía cada enlace a la persona que aparece delante. Los enlaces solo se muestran una vez y cada uno funciona una vez.",
    link: (count) => (count === 1 ? "Enlace" : "Enlaces"),
    done: "Listo",
  },
  reset: {
    action: "Enlace para una contraseña nueva",
    title: (name) => `Una contraseña nueva para ${name}`,
    text: "Obtienes un enlace con el que la persona elige una contraseña nueva. Funciona una vez, durante un día. Al usarlo se cierran todas las sesiones de la cuenta.",
    make: "Crear enlace",
    failed: "No se pudo crear el enlace",
    ready: "Envía este enlace a la persona de forma segura. Solo se muestra una vez.",
    link: "Enlace",
    done: "Listo",
  },
} satisfies AdminTexts["admin/people/invitations"];
