import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "Este dispositivo",
  sub: "Opciones solo para este navegador.",
  notifications: "Notificaciones del navegador",
  notificationsSub: "Se muestran cuando no estás mirando Parley. El navegador te pregunta una vez si están permitidas.",
  kinds: {
    answers: {
      label: "Respuestas terminadas",
      hint: "Cuando un modelo ha respondido en una pestaña que no estás mirando.",
    },
    mentions: { label: "Menciones en canales", hint: "Cuando alguien escribe tu nombre." },
    questions: {
      label: "Preguntas en espera",
      hint: "Cuando un plugin necesita tu respuesta para continuar.",
    },
  },
  denied:
    "Tu navegador bloquea las notificaciones de este sitio. Permítelas en sus ajustes para este sitio y vuelve a cargar la página.",
  unsupported: "Este navegador no puede mostrar notificaciones de este sitio.",
  app: "Aplicación instalada",
  appSub:
    "Parley en una ventana propia, con el número de mensajes sin leer en el icono. Otras aplicaciones pueden compartir texto y archivos con ella.",
  install: "Instalar Parley",
  installed: "Parley funciona como aplicación instalada.",
  manual: "Elige “Instalar” o “Añadir a pantalla de inicio” en el menú de tu navegador.",
} satisfies AppTexts["settings/device"];
