import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "Cet appareil",
  sub: "Des choix pour ce navigateur uniquement.",
  notifications: "Notifications du navigateur",
  notificationsSub:
    "Affichées quand vous ne regardez pas Parley. Votre navigateur vous demande une fois si elles sont autorisées.",
  kinds: {
    answers: {
      label: "Réponses terminées",
      hint: "Quand un modèle a répondu dans un onglet que vous ne regardez pas.",
    },
    mentions: { label: "Mentions dans les canaux", hint: "Quand quelqu’un écrit votre nom." },
    questions: {
      label: "Questions en attente",
      hint: "Quand un plugin a besoin de votre réponse pour continuer.",
    },
  },
  denied:
    "Votre navigateur bloque les notifications de ce site. Autorisez-les dans ses réglages pour ce site, puis rechargez la page.",
  unsupported: "Ce navigateur ne peut pas afficher de notifications de ce site.",
  app: "Application installée",
  appSub:
    "Parley dans sa propre fenêtre, avec le nombre de messages non lus sur l’icône. D’autres applications peuvent lui transmettre du texte et des fichiers.",
  install: "Installer Parley",
  installed: "Parley fonctionne comme application installée.",
  manual: "Choisissez « Installer » ou « Ajouter à l’écran d’accueil » dans le menu de votre navigateur.",
} satisfies AppTexts["settings/device"];
