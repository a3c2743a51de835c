import type { AppTexts } from "../../app-texts.ts";
import { units } from "../format.ts";

export default {
  stopped: "Arrêtée avant la fin.",
  sources: "Sources",
  numbers: (numbers) => `[${units.format(numbers.map(String))}]`,
} satisfies AppTexts["channels/replies"];
