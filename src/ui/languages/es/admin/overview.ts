import type { AdminTexts } from "../../admin-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Resumen",
  sub: (name) => `Cómo va ${name} y qué requiere tu atención.`,
  tiles: { people: "Personas", waiting: "Pendientes", connections: "Conexiones", models: "Modelos" },
  history: {
    title: "Evolución",
    span: "Intervalo",
    spans: { hour: "Última hora", day: "Últimas 24 horas", week: "Últimos 7 días" },
    loading: "Cargando las cifras",
    failed: "No se pudieron cargar las cifras",
    empty: "Aún no hay cifras",
    emptyText: "Las primeras aparecen en menos de dos minutos.",
    notKept: "En esta plataforma no se registran cifras. Usa sus propias estadísticas.",
    time: "Hora",
    nothing: "sin registrar",
    seconds: (count) => `${count} s`,
    label: (title, span) => `${title}. ${span}.`,
    plots: {
      requests: { title: "Solicitudes", parts: { lower: "Respondidas", upper: "Con error" } },
      firstByte: { title: "Tiempo hasta la primera palabra", parts: { lower: "Media" } },
      tokens: { title: "Tokens", parts: { lower: "Entrada", upper: "Salida" } },
      jobs: { title: "Trabajo en cola", parts: { lower: "Máximo" } },
      people: { title: "Personas con la página abierta", parts: { lower: "Máximo" } },
      disk: { title: "Disco", parts: { lower: "Ocupado", upper: "Libre" } },
    },
  },
  attention: {
    title: "Requiere atención",
    none: "Nada requiere tu atención.",
    waiting: (count) =>
      plural(count, {
        one: "# persona está pendiente de aprobación.",
        other: "# personas están pendientes de aprobación.",
      }),
    waitingAction: "Ver las personas",
    down: (name) => `La conexión ${name} no responde.`,
    downAction: "Ver la conexión",
    noConnection: "No hay ningún modelo conectado. Mientras tanto, solo responde la guía integrada.",
    noConnectionAction: "Conectar un modelo",
    noModels: "No aparece ningún modelo, aunque hay conexiones. Ahora mismo nadie puede chatear.",
    noModelsAction: "Ver las conexiones",
    sick: (reason) => `El servicio tiene un problema. ${reason}`,
    sickAction: "Ver el estado",
    webhook: "El webhook del servicio se desactivó porque su receptor dejó de aceptar entregas.",
    webhookAction: "Ver por qué",
    diskLow: (size) => `El disco está casi lleno: quedan ${size} libres y se rechazan las subidas.`,
    backupLate: "Hay una copia de seguridad atrasada.",
    storageAction: "Ver el almacenamiento",
    onlyAdmin:
      "Solo hay un administrador: tú. Si pierdes tu contraseña, nadie podrá volver a darte acceso.",
    onlyAdminAction: "Añadir otro administrador",
  },
  health: { title: "Estado", more: "Todas las comprobaciones" },
  failed: {
    people: "No se pudieron contar las personas",
    connections: "No se pudieron cargar las conexiones",
  },
} satisfies AdminTexts["admin/overview"];
