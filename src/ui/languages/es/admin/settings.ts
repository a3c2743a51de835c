import type { AdminTexts } from "../../admin-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Ajustes",
  sub: "Ajustes para todos. Los valores definidos por variables de entorno se muestran aquí, pero solo se pueden cambiar allí.",
  failed: "No se pudieron cargar los ajustes",
  sections: {
    general: { title: "General", sub: "Nombre, dirección e imágenes de otros sitios." },
    accounts: { title: "Cuentas", sub: "Quién puede registrarse e iniciar sesión, y por cuánto tiempo." },
    retention: {
      title: "Conservación de datos",
      sub: "Cuántos días se conservan los datos de las organizaciones sin plazos propios. Con 0, los datos se conservan para siempre.",
    },
    limits: {
      title: "Límites",
      sub: "Cuánto pueden tener una persona, una organización y el servicio. 0 significa sin límite.",
    },
    keys: {
      title: "Claves de API",
      sub: "Si los scripts pueden actuar en nombre de las personas y a qué pueden acceder.",
    },
    sso: { title: "Inicio de sesión único", sub: "Se define al iniciar el servicio." },
    scim: { title: "Aprovisionamiento", sub: "Se define al iniciar el servicio." },
    chat: { title: "Chat", sub: "Qué ocurre además de la respuesta." },
    models: { title: "Modelos", sub: "Quién ve qué modelos y cuál es el predeterminado." },
    documents: { title: "Documentos", sub: "Qué se puede subir y cómo se leen los archivos." },
    retrieval: { title: "Búsqueda en documentos", sub: "Cómo se crean y se encuentran los fragmentos." },
    channels: { title: "Canales", sub: "Donde conversan personas, bots y modelos." },
    connections: { title: "Conexiones", sub: "Cómo se llama a los proveedores." },
    network: { title: "Red", sub: "A qué direcciones puede llamar Parley." },
    service: { title: "Servicio", sub: "Se define al iniciar el servicio." },
  },
  /** Sections that have a page of their own. */
  elsewhere: {
    keys: {
      text: "Estos ajustes están en la página de claves de API.",
      href: "/admin/keys",
      action: "Abrir claves de API",
    },
    sso: {
      text: "Se define al iniciar el servicio. Los proveedores y sus variables están en la página de inicio de sesión único.",
      href: "/admin/sso",
      action: "Abrir inicio de sesión único",
    },
    documents: {
      text: "Estos ajustes están en la página de documentos.",
      href: "/admin/documents",
      action: "Abrir documentos",
    },
    retrieval: {
      text: "Estos ajustes están en la página de documentos.",
      href: "/admin/documents",
      action: "Abrir documentos",
    },
    scim: {
      text: "Se define al iniciar el servicio. Su estado se ve en la página de aprovisionamiento.",
      href: "/admin/scim",
      action: "Abrir aprovisionamiento",
    },
  },
  /** The table of what the environment sets. */
  environment: {
    title: "Variables",
    columns: { setting: "Ajuste", variable: "Variable", value: "Valor" },
    on: "activado",
    off: "desactivado",
    empty: "vacío",
    none: "No hay variables definidas. Todas tienen su valor predeterminado.",
    all: (count) => plural(count, { one: "Mostrar la variable", other: "Mostrar las # variables" }),
  },
  locked: (name) => `Definido por el entorno (${name}).`,
  hidden: "No se muestra nunca",
  lines: "Uno por línea.",
  choices: {
    pending: "Pendiente, hasta que un administrador apruebe la cuenta",
    user: "Miembro de inmediato",
    everyone: "Todas las personas con sesión iniciada",
    admins: "Solo administradores",
    ask: "Tras un clic",
    show: "Al momento",
    link: "Nunca: en su lugar hay un enlace",
    dev: "dev",
    prod: "prod",
  },
  notNumber: "Escribe un número.",
  notSaved: "No se pudieron guardar los ajustes",
  saved: (section) => `${section}: guardado. Los cambios ya se aplican.`,
} satisfies AdminTexts["admin/settings"];
