import type { AdminTexts } from "../../admin-texts.ts";

export default {
  disk: {
    title: "Disco",
    used: "Usado por tudo neste disco",
    free: (size) => `${size} livres`,
    low: (min) => `Envios são recusados porque menos de ${min} do disco está livre. Libere espaço em disco.`,
    parts: {
      database: "Banco de dados",
      log: "Log do banco de dados",
      objects: "Arquivos e textos",
      sessions: "Sessões e canais",
      backups: "Backups",
    },
    hint: "O espaço de arquivos excluídos é liberado em até uma hora.",
    failed: "Não foi possível carregar o disco e os backups",
  },
  backups: {
    title: "Backups",
    now: "Fazer backup agora",
    progress: (done) => `Fazendo backup: ${done}%`,
    startFailed: "Não foi possível iniciar o backup",
    late: "Um backup está atrasado. O último erro abaixo ou o log do serviço diz por quê.",
    last: "Último backup",
    none: "Nenhum ainda",
    lastHint: (size, seconds) => `${size}, levou ${seconds} s`,
    next: "Próximo backup",
    noSchedule: "Sem agendamento. Defina BACKUP_SCHEDULE para fazer backups regularmente.",
    to: "Guardados em",
    keep: "Backups a manter",
    failed: "Último erro",
  },
} satisfies AdminTexts["admin/storage"];
