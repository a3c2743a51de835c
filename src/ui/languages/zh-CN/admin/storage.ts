import type { AdminTexts } from "../../admin-texts.ts";

export default {
  disk: {
    title: "磁盘",
    used: "此磁盘上所有内容的占用",
    free: (size) => `可用 ${size}`,
    low: (min) => `磁盘可用空间不足 ${min}，因此上传会被拒绝。请释放磁盘空间。`,
    parts: {
      database: "数据库",
      log: "数据库日志",
      objects: "文件和文本",
      sessions: "会话和频道",
      backups: "备份",
    },
    hint: "已删除文件的空间会在一小时内释放。",
    failed: "无法加载磁盘和备份信息",
  },
  backups: {
    title: "备份",
    now: "立即备份",
    progress: (percent) => `正在备份：${percent}%`,
    startFailed: "无法开始备份",
    late: "有备份未按时完成。原因见下方的最近错误或服务日志。",
    last: "上次备份",
    none: "还没有",
    lastHint: (size, seconds) => `${size}，用时 ${seconds} 秒`,
    next: "下次备份",
    noSchedule: "没有计划。如需定期备份，请设置 BACKUP_SCHEDULE。",
    to: "保存位置",
    keep: "保留的备份数",
    failed: "最近错误",
  },
} satisfies AdminTexts["admin/storage"];
