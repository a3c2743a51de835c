import type { AppTexts } from "../../app-texts.ts";

export default {
  set: "设置状态",
  title: "你的状态",
  text: "你正在做什么？",
  placeholder: "例如：开会中",
  emoji: "选择表情",
  clearAfter: "清除时间",
  ends: {
    never: "不清除",
    halfHour: "30 分钟后",
    hour: "1 小时后",
    fourHours: "4 小时后",
    today: "今天",
    week: "本周",
    kept: "设定的时间",
  },
  hint: "你所在组织的成员可以在频道中看到。",
  save: "保存",
  clear: "清除状态",
  failed: "无法保存状态",
  usual: {
    meeting: "开会中",
    lunch: "午休",
    home: "居家办公",
    holiday: "休假中",
    sick: "病假",
  },
} satisfies AppTexts["status"];
