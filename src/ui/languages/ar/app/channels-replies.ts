import type { AppTexts } from "../../app-texts.ts";
import { units } from "../format.ts";

export default {
  stopped: "توقفت مبكرًا.",
  sources: "المصادر",
  numbers: (numbers) => `[${units.format(numbers.map(String))}]`,
} satisfies AppTexts["channels/replies"];
