import type { AppTexts } from "../../app-texts.ts";
import { locale } from "../../locale.ts";
import { number, percent } from "../format.ts";

const megabytes = new Intl.NumberFormat(locale, { style: "unit", unit: "megabyte" });
const endingList = new Intl.ListFormat(locale, { type: "disjunction" });
const units = { pages: "ページ", slides: "枚のスライド", sheets: "シート" };

export default {
  tooLarge: (name, most) => `${name}は上限の${megabytes.format(most)}を超えています。`,
  empty: (name) => `${name}は空です。`,
  ending: (name, endings) =>
    `${name}のような形式のファイルはアップロードできません。使用できる形式：${endingList.format(endings)}`,
  folder: (name) => `${name}を読み取れませんでした。フォルダーは添付できません。中のファイルを選択してください。`,
  uploadWaiting: "アップロード待ち",
  uploading: (part) => `アップロード中、${percent.format(Math.floor(part * 100) / 100)}`,
  arriving: "アップロード済み、保存中",
  uploadOffline: "接続がありません。自動的に再開します。",
  uploadFailed: "アップロードに失敗しました",
  stopped: "アップロードを停止しました。",
  state({ status, stage, done, total, unit, error }) {
    if (status === "stored") return "未読み取り";
    if (status === "completed") return "準備完了";
    if (status === "failed") return error || "読み取れませんでした";
    if (stage === "embedding")
      return total === undefined
        ? "検索用に処理中"
        : `検索用に処理中、${number.format(done)} / ${number.format(total)}パッセージ`;
    if (stage !== "extracting") return "読み取り待ち";
    if (unit === "pages" || unit === "slides" || unit === "sheets") {
      const noun = units[unit];
      if (total !== undefined)
        return `読み取り中、${number.format(Math.min(done + 1, total))} / ${number.format(total)}${noun}`;
      return done > 0 ? `読み取り中、${number.format(done)}${noun}まで完了` : "読み取り中";
    }
    return total === undefined ? "読み取り中" : `読み取り中、${percent.format(Math.floor((done / total) * 100) / 100)}`;
  },
} satisfies AppTexts["lib/files"];
