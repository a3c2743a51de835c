import type { AdminTexts } from "../../admin-texts.ts";

export default {
  disk: {
    title: "ディスク",
    used: "このディスク全体の使用量",
    free: (size) => `空き${size}`,
    low: (min) => `ディスクの空きが${min}未満のため、アップロードは拒否されます。空き容量を増やしてください。`,
    parts: {
      database: "データベース",
      log: "データベースのログ",
      objects: "ファイルとテキスト",
      sessions: "セッションとチャンネル",
      backups: "バックアップ",
    },
    hint: "削除したファイルの領域は、1時間以内に解放されます。",
    failed: "ディスクとバックアップの情報を読み込めませんでした",
  },
  backups: {
    title: "バックアップ",
    now: "今すぐバックアップ",
    progress: (percent) => `バックアップ中：${percent}%`,
    startFailed: "バックアップを開始できませんでした",
    late: "バックアップが遅れています。原因は、下の最後のエラーまたはサービスのログで確認できます。",
    last: "最後のバックアップ",
    none: "まだありません",
    lastHint: (size, seconds) => `${size}、所要時間${seconds}秒`,
    next: "次のバックアップ",
    noSchedule: "スケジュールはありません。定期的に作成するには、BACKUP_SCHEDULEを設定してください。",
    to: "保存先",
    keep: "保持するバックアップ数",
    failed: "最後のエラー",
  },
} satisfies AdminTexts["admin/storage"];
