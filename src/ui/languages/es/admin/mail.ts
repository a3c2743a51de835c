import type { AdminTexts } from "../../admin-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Correo electrónico",
  sub: "El servidor de correo que envía las invitaciones y los enlaces para contraseñas nuevas. Sin él, los administradores copian estos enlaces.",
  on: "Los correos se envían.",
  off: "No se envían correos: define un servidor de correo y un remitente.",
  pending: (count) =>
    plural(count, { one: "# correo está pendiente de envío.", other: "# correos están pendientes de envío." }),
  failed: "No se pudieron cargar los ajustes",
  stateFailed: "No se pudo cargar el estado",
  server: { title: "Servidor de correo", sub: "Guarda antes de probar." },
  password: {
    title: "Contraseña",
    sub: "Para el nombre de usuario de arriba. Se almacena cifrada y no se muestra nunca.",
    label: "Contraseña",
    set: "Hay una contraseña almacenada. Escribe otra para sustituirla.",
    none: "No hay ninguna contraseña almacenada.",
    locked: "Definida por el entorno (SMTP_PASSWORD).",
    save: "Guardar contraseña",
    remove: "Quitar contraseña",
    saved: "La contraseña se guardó.",
    removed: "La contraseña se quitó.",
    failed: "No se pudo guardar la contraseña",
    changes: "contraseña",
  },
  test: {
    title: "Prueba",
    sub: "Envía un correo ahora, con los ajustes guardados.",
    to: "Destinatario",
    action: "Enviar correo de prueba",
    wrong: "Escribe una dirección de correo, como ada@harbour.example.",
    failed: "No se pudo hacer la prueba",
    sent: (to) =>
      `El servidor de correo aceptó el mensaje para ${to}. Mira en el buzón y en su carpeta de correo no deseado.`,
    notSent: "El correo no se envió",
    conversation: "La conversación completa",
    parley: "Parley",
    server: "Servidor",
  },
  failures: {
    title: "Sin enviar",
    sub: "Correos de los últimos siete días cuyo envío se abandonó.",
    kinds: { invitation: "Invitación", password_reset: "Contraseña nueva" },
  },
} satisfies AdminTexts["admin/mail"];
