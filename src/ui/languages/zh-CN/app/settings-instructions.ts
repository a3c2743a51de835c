import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "指令",
  sub: "在你的所有对话中，模型应了解你的哪些信息，以及应如何回答。",
  card: "我的指令",
  label: "指令",
  placeholder: "我在港务办公室工作。请简短回答，并使用公制单位。",
  hint: "它们排在模型的指令之后、文件夹和对话的指令之前。你可以在对话的参数中将其关闭。",
  failed: "无法加载你的指令",
  notSaved: "无法保存你的指令",
  saved: "你的指令已保存。",
  notAllowed: "你的账号不能设置指令。管理员可以授予此权限。",
} satisfies AppTexts["settings/instructions"];
