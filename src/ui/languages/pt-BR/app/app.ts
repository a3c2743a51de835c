import type { AppTexts } from "../../app-texts.ts";

export default {} as AppTexts["app"];
