import type { AppTexts } from "../../app-texts.ts";
import { models } from "../format.ts";

export default {
  title: "الإجابة عن هذه الرسالة بواسطة",
  label: "نماذج لهذه الرسالة",
  found: (n) => models(n),
  next: (name) => `سيجيب ${name} عن هذه الرسالة`,
  remove: (name) => `عدم سؤال ${name}`,
} satisfies AppTexts["chat/turn-model"];
