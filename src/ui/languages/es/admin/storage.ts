import type { AdminTexts } from "../../admin-texts.ts";

export default {
  disk: {
    title: "Disco",
    used: "Ocupado por todo lo que hay en este disco",
    free: (size) => `${size} libres`,
    low: (min) => `Se rechazan las subidas porque quedan menos de ${min} libres en el disco. Libera espacio.`,
    parts: {
      database: "Base de datos",
      log: "Registro de la base de datos",
      objects: "Archivos y textos",
      sessions: "Sesiones y canales",
      backups: "Copias de seguridad",
    },
    hint: "El espacio de los archivos eliminados se libera en menos de una hora.",
    failed: "No se pudieron cargar el disco y las copias de seguridad",
  },
  backups: {
    title: "Copias de seguridad",
    now: "Copiar ahora",
    progress: (percent) => `Copiando: ${percent} %`,
    startFailed: "No se pudo iniciar la copia de seguridad",
    late: "Hay una copia de seguridad atrasada. El último error, abajo, o el registro del servicio indican el motivo.",
    last: "Última copia",
    none: "Aún ninguna",
    lastHint: (size, seconds) => `${size}, tardó ${seconds} s`,
    next: "Próxima copia",
    noSchedule: "Sin programar. Define BACKUP_SCHEDULE para hacer copias con regularidad.",
    to: "Se guardan en",
    keep: "Copias que se conservan",
    failed: "Último error",
  },
} satisfies AdminTexts["admin/storage"];
