import type { AdminTexts } from "../../admin-texts.ts";
import { tenths } from "../format.ts";

export default {
  title: "画像と音声",
  sub: "画像の生成、音声の文字起こし、回答の読み上げに使う接続。",
  failed: "設定を読み込めませんでした",
  images: { title: "モデルによる画像", sub: "モデルには、説明文と変更対象の画像が渡されます。" },
  audio: { title: "音声", sub: "声と速度は、各ユーザーが「設定」の「音声」で選べます。" },
  engines: { "": "各ユーザーのブラウザー", openai: "接続", off: "使用しない" },
  none: "なし",
  trial: {
    title: "試す",
    sub: "上で保存したモデルを使います。画像はあなたのファイルになります。",
    prompt: "説明",
    standard: "夕暮れの灯台、木版画風",
    test: "画像を生成",
    testing: "画像を生成中です。1分ほどかかることがあります。",
    testStale: "前回の画像から説明が変更されています。",
    testFailed: "画像を生成できませんでした",
    made: (seconds) => `${tenths.format(seconds)}秒で生成しました。`,
    missing: "説明を入力してください。",
  },
} satisfies AdminTexts["admin/media"];
