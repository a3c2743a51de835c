import type { AppTexts } from "../../app-texts.ts";
import { units } from "../format.ts";

export default {
  stopped: "Vorzeitig gestoppt.",
  sources: "Quellen",
  numbers: (numbers) => `[${units.format(numbers.map(String))}]`,
} satisfies AppTexts["channels/replies"];
