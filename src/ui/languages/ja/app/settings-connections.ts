import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "接続",
  sub: "自分で料金を支払うプロバイダー。そのモデルは自分だけに表示され、自分だけが使えます。",
  add: "接続を追加",
  list: "自分の接続",
  columns: { name: "接続", state: "状態", on: "オン", actions: "操作" },
  failed: "接続を読み込めませんでした",
  none: "自分のキーでプロバイダーを接続すると、そのモデルが一覧に表示されます。",
  closed: "現在、自分の接続は使用できないため、そのモデルは表示されません。接続の削除はできます。",
  closedNone: "個人の接続は無効になっています。管理者が有効にできます。",
  deleted: (name) => `接続「${name}」を削除しました。`,
  deleteText: "モデルが一覧から消え、キーも削除されます。チャットは残ります。",
  edit: {
    newSub: "アドレスとキーを入力し、テストしてから保存してください。キーは暗号化して保存され、再表示されません。",
    main: "アドレスとキー",
    presetHint: "アドレスと、APIの既知の違いが入力されます。",
    namePlaceholder: "自分のモデル",
    prefixHint: "各モデルIDの前に付きます。2つのプロバイダーに同名のモデルがある場合に便利です。",
    idHint: (prefix) => `APIでのモデルIDは direct.${prefix === "" ? "" : `${prefix}.`}model-name のようになります。`,
    privacy:
      "これらのモデルに書いた内容は、このプロバイダーに送信されます。呼び出しはここのクォータに数えられません。共有チャット、チャンネル、他のユーザーのプラグインでは使えません。",
    dangerText: "モデルが一覧から消えます。",
  },
} satisfies AppTexts["settings/connections"];
