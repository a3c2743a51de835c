import type { AppTexts } from "../../app-texts.ts";
import { days, number, percent, plural } from "../format.ts";

export default {
  title: "Tus datos",
  sub: "Exporta e importa chats y consulta lo que compartes.",
  take: {
    title: "Exportar",
    text: "Descarga un solo archivo con todos tus chats y ramas. Se puede importar en Parley o en Open WebUI.",
    action: "Exportar todos los chats",
    file: "parley-chats.json",
    notAllowed: "Necesitas el permiso “Exportar chats”. Un administrador puede concedértelo.",
  },
  copy: {
    text: "O descarga todo sobre ti como archivo zip: chats, archivos, conocimiento, prompts, mensajes de canales, uso y entradas de auditoría. No contiene contraseñas ni claves. Sus chats se pueden importar más abajo, y el administrador de otro Parley puede importar el resto. Solo una descarga a la vez.",
    action: "Descargar mis datos",
    file: "parley-data.zip",
  },
  bring: {
    title: "Importar",
    text: "Un archivo de chats exportado de Parley, Open WebUI o LibreChat, el archivo zip de tus datos en Parley o el archivo zip que te envían ChatGPT o Claude. Los chats se añaden a los tuyos.",
    action: "Elegir un archivo",
    notAllowed: "Necesitas el permiso “Importar chats”. Un administrador puede concedértelo.",
    progress: (name, done) => `${name}: ${percent.format(done)}`,
    stop: "Detener",
    stopped: "Detenido. Los chats importados hasta ahora están en tu lista.",
    failed: "No se pudo importar el archivo por completo",
  },
  report: {
    imported: (chats, messages) =>
      `${plural(chats, { one: "# chat importado", other: "# chats importados" })}, con ${plural(messages, { one: "# mensaje", other: "# mensajes" })}.`,
    nothing: "El archivo no contiene chats.",
    incomplete: "El archivo está incompleto. Se importó todo lo anterior a la parte que falta.",
    messagesLeftOut: (value) =>
      plural(value, { one: "# mensaje no se pudo leer.", other: "# mensajes no se pudieron leer." }),
    messagesMoved: (value) =>
      plural(value, {
        one: "# mensaje no tenía mensaje anterior y ahora inicia su propia rama.",
        other: "# mensajes no tenían mensaje anterior y ahora inician sus propias ramas.",
      }),
    filesLeftOut: (value) =>
      plural(value, {
        one: "# archivo o imagen no estaba incluido en el archivo.",
        other: "# archivos e imágenes no estaban incluidos en el archivo.",
      }),
    foldersLeftOut: (value) =>
      plural(value, {
        one: "# chat estaba en una carpeta y ahora está en la lista.",
        other: "# chats estaban en carpetas y ahora están en la lista.",
      }),
    leftOut: (value) => plural(value, { one: "# chat omitido:", other: "# chats omitidos:" }),
    entry: (position, title, reason) => `${title === "" ? `Chat ${number.format(position)}` : title}: ${reason}`,
    more: (value) => `y ${number.format(value)} más`,
  },
  kept: {
    title: "Cuánto tiempo se conservan tus datos",
    failed: "No se pudo cargar cuánto tiempo se conservan tus datos",
    forever: "Hasta que los elimines.",
    chats: (value) => `Los chats se eliminan ${days(value)} después de su último cambio.`,
    files: (value) =>
      `Los archivos se eliminan ${days(value)} después de subirse, salvo que estén en un chat, un canal o una base de conocimiento.`,
    channel_messages: (value) => `Los mensajes de canales se eliminan ${days(value)} después de publicarse.`,
    logs: (value) =>
      `Los registros de tus llamadas y las respuestas de la API almacenadas se eliminan después de ${days(value)}.`,
  },
  shared: {
    title: "Chats compartidos",
    none: "No has compartido ningún chat.",
    failed: "No se pudieron cargar los chats compartidos",
    columns: { title: "Chat", who: "Quién puede leerlo", when: "Versión del", actions: "Acciones" },
    who: { everyone: "Todos", some: "Personas elegidas", home: "Todos aquí", nobody: "Solo tú" },
    withdraw: "Quitar",
    withdrawOf: (title) => ` el enlace de ${title}`,
    withdrawn: (title) => `El enlace de ${title} se quitó.`,
    withdrawFailed: "No se pudo quitar el enlace",
    more: "Mostrar más",
  },
} satisfies AppTexts["settings/data"];
