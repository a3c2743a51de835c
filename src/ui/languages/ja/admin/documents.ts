import type { AdminTexts } from "../../admin-texts.ts";
import { number } from "../format.ts";

export default {
  title: "ドキュメント",
  sub: "ファイルの読み取りと検索の方法。",
  failed: "設定を読み込めませんでした",
  stateFailed: "インデックスの状態を読み込めませんでした",
  tiles: { completed: "検索可能なファイル", pending: "読み取り中", failed: "読み取り失敗" },
  search: {
    title: "検索",
    keywordOnly: "埋め込みモデルが選択されていないため、検索は語句のみで、意味では探せません。下で選択してください。",
    serving: (model, dimension) =>
      dimension === null
        ? `${model}により、語句と意味で検索します。`
        : `${model}（${number.format(dimension)}次元）により、語句と意味で検索します。`,
    first: (model) => `${model}がパッセージをインデックス化しています。完了するまでは語句のみで検索します。`,
    next: (model, serving) => `${model}がパッセージをインデックス化しています。完了するまでは${serving}で検索します。`,
    done: (done, total) => `${number.format(total)}パッセージ中${number.format(done)}`,
    stopped: (reason) => `インデックス化に失敗しました：${reason} 自動的に再試行します。`,
    progress: "インデックス化済みのパッセージ",
  },
  settings: {
    documents: { title: "ファイル", sub: "アップロードできるものと、ファイルの読み取り方法。" },
    retrieval: { title: "パッセージと検索", sub: "テキストの分割と検索の方法。" },
  },
} satisfies AdminTexts["admin/documents"];
