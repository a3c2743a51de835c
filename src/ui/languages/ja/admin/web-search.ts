import type { AdminTexts } from "../../admin-texts.ts";
import { number } from "../format.ts";

export default {
  title: "Web検索",
  sub: "答えがWeb上にある質問のための機能。チャットごとにオンにします。",
  failed: "設定を読み込めませんでした",
  settings: {
    title: "プロバイダーとページ",
    sub: "プロバイダーに渡されるのは検索語だけで、チャットの他の内容は渡されません。",
  },
  engines: {
    "": "なし",
    searxng: "SearXNG",
    brave: "Brave",
    tavily: "Tavily",
    google_pse: "Google Programmable Search",
    external: "独自のプロバイダー（JSON）",
    mcp: "MCPサーバーのツール",
  },
  none: "なし",
  trial: {
    title: "試す",
    sub: "上で保存したプロバイダーで検索します。",
    query: "検索語",
    standard: "港の営業時間",
    test: "検索",
    testing: "検索中",
    testStale: "検索語が変更されました。もう一度検索してください。",
    testFailed: "検索できませんでした",
    found: (count, milliseconds) =>
      count === 0
        ? "プロバイダーは応答しましたが、許可されたサイトでは何も見つかりませんでした。"
        : `${number.format(count)}件の結果（${number.format(milliseconds)}ミリ秒）：`,
    missing: "検索語を入力してください。",
  },
} satisfies AdminTexts["admin/web-search"];
