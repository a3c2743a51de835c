import type { AdminTexts } from "../../admin-texts.ts";

export default {
  disk: {
    title: "Disque",
    used: "Utilisé par tout ce qui est sur ce disque",
    free: (size) => `${size} libres`,
    low: (min) =>
      `Les téléversements sont refusés, car moins de ${min} du disque sont libres. Libérez de l’espace disque.`,
    parts: {
      database: "Base de données",
      log: "Journal de la base de données",
      objects: "Fichiers et textes",
      sessions: "Sessions et canaux",
      backups: "Sauvegardes",
    },
    hint: "L’espace des fichiers supprimés est libéré dans l’heure.",
    failed: "Impossible de charger le disque et les sauvegardes",
  },
  backups: {
    title: "Sauvegardes",
    now: "Sauvegarder",
    progress: (percent) => `Sauvegarde en cours : ${percent} %`,
    startFailed: "Impossible de lancer la sauvegarde",
    late: "Une sauvegarde est en retard. La dernière erreur ci-dessous ou le journal du service en donne la raison.",
    last: "Dernière sauvegarde",
    none: "Aucune pour l’instant",
    lastHint: (size, seconds) => `${size}, en ${seconds} s`,
    next: "Prochaine sauvegarde",
    noSchedule: "Aucune planification. Définissez BACKUP_SCHEDULE pour sauvegarder régulièrement.",
    to: "Emplacement",
    keep: "Sauvegardes à garder",
    failed: "Dernière erreur",
  },
} satisfies AdminTexts["admin/storage"];
