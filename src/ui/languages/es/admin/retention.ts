import type { AdminTexts } from "../../admin-texts.ts";
import { number } from "../format.ts";

export default {
  title: "Conservación de datos",
  sub: "Cuántos días se conservan los datos de las personas de esta organización. Un campo vacío usa el valor de los ajustes. Con 0, los datos se conservan para siempre.",
  name: "plazos de conservación",
  fields: {
    chats: "Chats",
    files: "Archivos",
    channel_messages: "Mensajes de canales",
    logs: "Registros",
  },
  hints: {
    chats: "Días tras el último cambio. También se eliminan los chats fijados y archivados.",
    files: "Días tras la subida. Los archivos de un chat, un canal, un modelo o una base de conocimiento se conservan.",
    channel_messages: "Días tras la publicación.",
    logs: "Llamadas a modelos, registro de auditoría, entregas de webhooks y respuestas de la API almacenadas.",
  },
  wrong: "Escribe un número entero de días hasta 36 500 o deja el campo vacío.",
  saved: "Guardado. Los plazos se aplican en menos de una hora.",
  preview: {
    action: "Ver qué se eliminaría ahora",
    again: "Contar de nuevo",
    counting: "Contando. Puede tardar un rato.",
    failed: "No se pudo contar lo que se eliminaría",
    nothing: "Ahora no se eliminaría nada.",
    caption: "Qué se eliminaría ahora",
    columns: { kind: "Qué", count: "Cantidad", bytes: "Tamaño", oldest: "El más antiguo" },
    kinds: {
      chats: "Chats",
      files: "Archivos",
      channel_messages: "Mensajes de canales",
      calls: "Llamadas a modelos",
      audit_events: "Entradas de auditoría",
      deliveries: "Entregas de webhooks",
      responses: "Respuestas de la API almacenadas",
    },
    count: (value) => number.format(value),
    fix: "Corrige primero los valores.",
  },
} satisfies AdminTexts["admin/retention"];
