import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  title: "絵文字",
  insert: "絵文字を挿入",
  search: "絵文字を検索",
  found: (n) => `${number.format(n)}個の絵文字`,
  none: (query) => `「${query}」に一致する絵文字はありません。`,
  loading: "他の絵文字を読み込み中",
  failed: "他の絵文字を読み込めませんでした。",
  usual: "よく使う絵文字",
  groups: {
    0: "顔文字",
    1: "人物",
    3: "動物と自然",
    4: "食べ物と飲み物",
    5: "旅行と場所",
    6: "アクティビティ",
    7: "物",
    8: "記号",
    9: "旗",
  },
} satisfies AppTexts["channels/emoji"];
