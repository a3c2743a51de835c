import type { AppTexts } from "../../app-texts.ts";
import { units } from "../format.ts";

export default {
  stopped: "Detenida antes de terminar.",
  sources: "Fuentes",
  numbers: (numbers) => `[${units.format(numbers.map(String))}]`,
} satisfies AppTexts["channels/replies"];
