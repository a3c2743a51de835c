import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "Webhooks",
  lead: "Direcciones con las que bots y otros sistemas publican en este canal. Quien tenga una dirección puede publicar.",
  add: "Nuevo webhook",
  none: "Aún no hay webhooks. Crea uno para que un script u otro sistema publique aquí.",
  failed: "No se pudieron cargar los webhooks",
  lastUsed: "Último uso",
  neverUsed: "Sin usar",
  url: "Dirección",
  urlHint: "Mantenla en secreto: quien la tenga puede publicar.",
  curl: "Publicar desde un terminal",
  curlHint: "Con una cabecera Idempotency-Key, una publicación enviada dos veces aparece una sola vez.",
  lost: "La dirección no se puede mostrar porque la clave con la que se cifró ya no está en uso. Sigue funcionando. Para ver una dirección, crea una nueva.",
  example: "Barco **a la vista**",

  tool: "Qué publica",
  setups: {
    curl: { label: "Un script", steps: "Envía un JSON con el campo content, que es Markdown." },
    slack: {
      label: "Compatible con Slack",
      steps:
        "Pega la dirección donde el programa pida el webhook entrante de Slack. Jenkins, GitLab y Argo CD lo permiten.",
      example: "Con el propio cliente de Slack",
    },
    discord: {
      label: "Compatible con Discord",
      steps: "Pega la dirección donde el programa pida el webhook de Discord.",
    },
    alertmanager: { steps: "Añade un receptor a la configuración de Alertmanager y dirígele las alertas." },
    grafana: {
      steps: "En Grafana, abre Alerting, Contact points, añade uno de tipo Webhook y pega la dirección como su URL.",
      example: "O como archivo de aprovisionamiento",
    },
    uptimeKuma: {
      steps:
        "En Uptime Kuma, abre Settings, Notifications, Setup notification. Elige Webhook, pega la dirección como Post URL y elige Preset - application/json.",
    },
    github: {
      steps:
        "En el repositorio, abre Settings, Webhooks, Add webhook. Pega la dirección como Payload URL. Sirven los dos tipos de contenido. Elige los eventos que quieras.",
    },
    titleMessage: {
      label: "Título y mensaje",
      steps:
        "Para programas en los que escribes tú el cuerpo y para los que envían un título con un mensaje, como Apprise y ntfy.",
      example: "Cuerpo",
    },
  },

  threads: "Hilos",
  threadsHint:
    "Las publicaciones sobre una misma alerta, pull request o ejecución forman un hilo. La primera muestra el estado actual.",

  requests: {
    title: "Últimas solicitudes",
    reload: "Recargar",
    failed: "No se pudieron cargar las solicitudes",
    none: "Aún no ha llegado nada a esta dirección.",
    posted: "Publicada",
    repeated: "Enviada de nuevo",
    refused: (status) => `Rechazada (${status})`,
    unknown: "Formato desconocido",
  },

  test: "Publicar una prueba",
  testContent: (name) => `Esta es una prueba del webhook ${name}.`,
  tested: "La prueba se publicó en el canal.",
  testFailed: "No se pudo publicar la prueba",
  edit: "Cambiar nombre o imagen",
  rotate: "Nueva dirección",
  remove: "Eliminar",

  dialog: {
    create: "Nuevo webhook",
    edit: "Editar webhook",
    name: "Nombre",
    nameHint: "Se muestra sobre sus publicaciones.",
    nameMissing: "Escribe un nombre.",
    editHint: "Las publicaciones anteriores conservan su nombre e imagen. La dirección no cambia.",
    make: "Crear webhook",
    save: "Guardar",
    makeFailed: "No se pudo crear el webhook",
    saveFailed: "No se pudo guardar el cambio",
  },

  askRotate: {
    title: (name) => `¿Sustituir la dirección de ${name}?`,
    text: "La dirección actual deja de funcionar de inmediato. Da la nueva a todos los que publican con ella.",
    action: "Sustituir dirección",
    failed: "No se pudo sustituir la dirección",
    done: (name) => `${name} tiene una dirección nueva.`,
  },
  askRemove: {
    title: (name) => `¿Eliminar ${name}?`,
    text: "Su dirección deja de funcionar de inmediato. Sus publicaciones siguen en el canal, como “Webhook eliminado”.",
    action: "Eliminar webhook",
    failed: "No se pudo eliminar el webhook",
    done: (name) => `${name} se eliminó.`,
  },
} satisfies AppTexts["channels/webhooks"];
