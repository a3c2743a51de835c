import type { AppTexts } from "../../app-texts.ts";
import { list, number, people, plural } from "../format.ts";

const replies = (n: number): string => plural(n, { one: "# respuesta", other: "# respuestas" });
const newMessages = (n: number): string => plural(n, { one: "# mensaje nuevo", other: "# mensajes nuevos" });
const others = (n: number): string => plural(n, { one: "# persona más", other: "# personas más" });

export default {
  channels: "Canales",
  direct: "Mensajes directos",
  untitled: "Conversación",

  rail: {
    add: "Nuevo canal o conversación",
    make: "Nuevo canal",
    browse: "Explorar canales",
    write: "Nuevo mensaje",
    all: "Todos los canales",
    failed: "No se pudieron cargar los canales",
    empty: "Tus canales aparecerán aquí.",
    unread: (n, isMore) => `${isMore ? `más de ${number.format(n)}` : number.format(n)} sin leer`,
    mentions: (n) => plural(n, { one: "# mención tuya", other: "# menciones tuyas" }),
    private: "Canal privado",
    public: "Canal público",
    more: (n) => `${number.format(n)}+`,
  },

  home: {
    title: "Canales",
    lead: "Donde tu equipo, los bots y los modelos conversan.",
    empty: "Aún no estás en ningún canal. Explora los canales o crea el primero.",
    none: "Aún no hay mensajes",
    people: (n) => people(n),
  },

  page: {
    loadFailed: "No se pudo cargar el canal",
    messagesFailed: "No se pudieron cargar los mensajes",
    notFound: "Este canal no existe, o es privado y no eres miembro.",
    notAllowed:
      "Solo los miembros pueden leer este canal. Un responsable del canal puede añadirte. Como administrador, aun así puedes cambiar sus ajustes.",
    switchedOff: "Los canales están desactivados aquí. Un administrador puede activarlos.",
    noRight: "Tu cuenta no puede usar los canales. Un administrador puede permitirlo.",
    others: "Todos los canales",
    empty: (name) => `Aquí empieza ${name}. Escribe el primer mensaje.`,
    emptyPreview: "Aún no hay mensajes.",
    beginning: (name) => `El principio de ${name}`,
    log: (name) => `Mensajes en ${name}`,
    earlier: "Mostrar mensajes anteriores",
    later: "Mostrar mensajes posteriores",
    latest: "Lo último",
    newBelow: (n) => newMessages(n),
    newLine: "Nuevo",
    today: "Hoy",
    yesterday: "Ayer",
    members: (n) => plural(n, { one: "# miembro", other: "# miembros" }),
    pins: "Mensajes fijados",
    search: "Buscar en este canal",
    settings: "Ajustes del canal",
    actions: "Más acciones del canal",
    said: (name, text) => `${name}: ${text}`,
    manySaid: (n) => newMessages(n),
  },

  mention: {
    by: (name) => `${name} te mencionó en un hilo:`,
    more: (n) => `y ${number.format(n)} más`,
  },

  preview: {
    text: (name) => `Estás viendo ${name}. Únete para recibir sus mensajes. Al publicar un mensaje también te unes.`,
    join: "Unirse al canal",
    failed: "No fue posible unirse al canal",
  },

  composer: {
    label: (name) => `Mensaje para ${name}`,
    labelThread: "Responder en este hilo",
    placeholder: (name) => `Escribir a ${name}`,
    placeholderThread: "Responder",
    attach: "Adjuntar archivos",
    quoting: (name) => `Citando a ${name}`,
    dropQuote: "Quitar la cita",
    tooLong: (over) =>
      `Al mensaje le ${plural(over, { one: "sobra # carácter", other: "sobran # caracteres" })}. Acórtalo o adjúntalo como archivo.`,
  },

  message: {
    edited: "editado",
    pinned: "Fijado",
    deleted: "Este mensaje se eliminó.",
    bot: "Webhook",
    service: "Cuenta de servicio",
    model: "Modelo",
    streaming: "está escribiendo",
    failed: "El modelo no respondió",
    sending: "Enviando",
    waiting: "A la espera de conexión",
    notSent: "No enviado",
    again: "Enviar de nuevo",
    discard: "Descartar",
    from: (name, when) => `${name}, ${when}`,
    replies: (n) => replies(n),
    latestReply: "última",
    quoted: (name) => `En respuesta a ${name}`,
    quoteGone: "En respuesta a un mensaje que se eliminó",
    showAll: "Mostrar todo",
    showLess: "Mostrar menos",
  },

  actions: {
    label: (name) => `Acciones del mensaje de ${name}`,
    react: "Reaccionar",
    quote: "Citar",
    thread: "Responder en un hilo",
    edit: "Editar",
    pin: "Fijar en el canal",
    unpin: "Desfijar",
    copy: "Copiar texto",
    copyLink: "Copiar enlace",
    remove: "Eliminar",
    stop: "Detener la respuesta",
    regenerate: "Responder de nuevo",
    copied: "Copiado.",
    failed: "No ha funcionado. El mensaje sigue igual.",
    notCopied: "El navegador bloqueó la copia.",
  },

  remove: {
    title: "¿Eliminar este mensaje?",
    text: "Se eliminará para todas las personas del canal.",
    textThread: "Su texto se eliminará para todos. Las respuestas se conservan.",
    action: "Eliminar mensaje",
    failed: "No se pudo eliminar el mensaje",
  },

  edit: {
    label: "Editar tu mensaje",
    save: "Guardar",
    cancel: "Cancelar",
    hint: "Escape para cancelar, Intro para guardar.",
    failed: "No se pudo guardar el cambio",
  },

  reactions: {
    label: "Reacciones",
    choose: "Elegir una reacción",
    more: "Añadir una reacción",
    by: (emoji, names, rest) => `${emoji} ${list.format(rest > 0 ? [...names, others(rest)] : names)}`,
    you: "tú",
  },

  thread: {
    title: "Hilo",
    failed: "No se pudo cargar el hilo",
    gone: "Este mensaje ya no existe.",
    none: "Aún no hay respuestas.",
    replies: (n) => replies(n),
    log: "Respuestas",
  },

  pins: {
    title: "Mensajes fijados",
    none: "No hay mensajes fijados. Fija los que convenga volver a encontrar.",
    failed: "No se pudieron cargar los mensajes fijados",
    show: "Mostrar en el canal",
    more: "Mostrar más",
  },

  search: {
    title: "Buscar",
    label: "Buscar en este canal",
    hint: "Escribe palabras del mensaje.",
    none: (query) => `Ningún mensaje coincide con “${query}”.`,
    failed: "La búsqueda ha fallado",
    results: (n) => plural(n, { one: "# mensaje encontrado", other: "# mensajes encontrados" }),
    inThread: "en un hilo",
    palette: "Mensajes en canales",
    paletteChannels: "Canales",
  },

  panels: { members: "Miembros", webhooks: "Webhooks", file: "Archivo" },

  typing: (names, rest) =>
    `${list.format(rest > 0 ? [...names, others(rest)] : names)} ${names.length + rest === 1 ? "está" : "están"} escribiendo`,

  keys: {
    group: "Canal",
    send: "Enviar",
    newline: "Nueva línea",
    editLast: "Editar tu último mensaje (con el campo vacío)",
    close: "Cerrar el hilo o el panel",
  },
} satisfies AppTexts["channels"];
