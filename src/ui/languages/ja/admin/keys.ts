import type { AdminTexts } from "../../admin-texts.ts";
import { number } from "../format.ts";

export default {
  title: "APIキー",
  sub: "キーがあれば、スクリプトやプログラムがユーザーとして動作できます。キーを持てるユーザーとアクセス範囲の設定、キーの失効を行います。",
  settings: { title: "キーでできること", sub: "全員のキーに、次の呼び出しから適用されます。" },
  settingsFailed: "設定を読み込めませんでした",
  endpointsFailed: "エンドポイントの一覧を読み込めませんでした。読み込まれるまで、入力内容は検証されません",
  who: "キーが有効な間、管理者はキーを持てます。他のユーザーには「APIキーの使用」権限が必要です：",
  whoEveryone: "全員に付与",
  whoGroups: "またはグループに付与",
  card: "キー",
  table: "APIキー",
  search: "キー、名前、メールアドレスで検索",
  columns: { key: "キー", owner: "所有者", lastUsed: "最終使用", made: "作成", actions: "操作" },
  never: "未使用",
  ends: "有効期限",
  ended: "期限切れ",
  unnamed: "名前なし",
  failed: "キーを読み込めませんでした",
  moreFailed: "続きのキーを読み込めませんでした",
  none: "キーを作成したユーザーはまだいません。",
  noneOff: "キーはありません。APIキーを有効にすると、ユーザーがキーを作成できます。",
  notFound: (query) => `「${query}」に一致するキーはありません。`,
  noneOfPerson: "このユーザーのキーはありません。",
  ofPerson: (name) => `${name}のキー`,
  everyone: "全員のキーを表示",
  actionsFor: (key, owner) => `${owner}のキー「${key}」の操作`,
  menu: {
    one: "このキーを失効",
    person: (name) => `${name}のすべてのキーを失効`,
    only: (name) => `${name}のキーのみ表示`,
    audit: "監査ログで表示",
  },
  revokeAll: "すべてのキーを失効",
  ask: {
    one: {
      title: (key, owner) => `${owner}のキー「${key}」を失効させますか？`,
      text: "このキーを使うものはすべて、すぐに動作しなくなります。復元はできませんが、所有者は新しいキーを作成できます。",
      action: "キーを失効",
    },
    person: {
      title: (name) => `${name}のすべてのキーを失効させますか？`,
      text: (name) =>
        `${name}として動作するスクリプトとプログラムはすべて、すぐに動作しなくなります。キーは復元できません。`,
      action: "このユーザーのキーを失効",
    },
    all: {
      title: "全員のキーを失効させますか？",
      text: (count) =>
        `${number.format(count)}個のキーがすべて、すぐに使えなくなります。あなたのものを含め、キーを使うスクリプトとプログラムもすべて動作しなくなります。復元はできません。`,
      action: "すべてのキーを失効",
      word: "すべて失効",
    },
    failed: "キーを失効できませんでした",
  },
  done: {
    one: (key) => `キー「${key}」を失効させました。`,
    many: (count) => `${number.format(count)}個のキーを失効させました。`,
  },
  endpoints: {
    hint: "制限がオンの間、キーでアクセスできる範囲。",
    add: "エンドポイントを追加",
    addHint:
      "/api/modelsなどのパス。メソッドは付けても付けなくてもかまいません。/* はその下すべてを含みます。一覧の貼り付けもできます。",
    addAction: "追加",
    none: "エンドポイントはありません。",
    list: "許可されたエンドポイント",
    remove: (entry) => `${entry}を削除`,
    wrong: {
      form: "スラッシュで始まるパスを入力してください。前にメソッドを付けることもできます。",
      unknown: "このエンドポイントは存在しないため、何も許可されません。",
    },
    useInstead: (entry) => `${entry}を使用`,
    lets: (count) => `${number.format(count)}個のエンドポイント`,
    notInForce: "制限はオフです。キーはすべてのエンドポイントにアクセスできます。",
    emptyInForce: "制限がオンで一覧が空です。キーはどこにもアクセスできません。",
  },
} satisfies AdminTexts["admin/keys"];
