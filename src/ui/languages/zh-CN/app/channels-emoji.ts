import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  title: "表情符号",
  insert: "插入表情符号",
  search: "搜索表情符号",
  found: (n) => `${number.format(n)} 个表情符号`,
  none: (query) => `没有与“${query}”匹配的表情符号。`,
  loading: "正在加载更多表情符号",
  failed: "无法加载更多表情符号。",
  usual: "常用",
  groups: {
    0: "笑脸",
    1: "人物",
    3: "动物和自然",
    4: "食物和饮料",
    5: "旅行和地点",
    6: "活动",
    7: "物品",
    8: "符号",
    9: "旗帜",
  },
} satisfies AppTexts["channels/emoji"];
