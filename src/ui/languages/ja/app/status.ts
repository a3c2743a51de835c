import type { AppTexts } from "../../app-texts.ts";

export default {
  set: "ステータスを設定",
  title: "あなたのステータス",
  text: "いま何をしていますか？",
  placeholder: "例：会議中",
  emoji: "絵文字を選択",
  clearAfter: "消去する時期",
  ends: {
    never: "消去しない",
    halfHour: "30分後",
    hour: "1時間後",
    fourHours: "4時間後",
    today: "今日",
    week: "今週",
    kept: "設定した時刻",
  },
  hint: "同じ組織の人がチャンネルで見ることができます。",
  save: "保存",
  clear: "ステータスを消去",
  failed: "ステータスを保存できませんでした",
  usual: {
    meeting: "会議中",
    lunch: "昼休み",
    home: "在宅勤務",
    holiday: "休暇中",
    sick: "病欠",
  },
} satisfies AppTexts["status"];
