import type { AdminTexts } from "../../admin-texts.ts";

export default {} as AdminTexts["admin/settings"];
