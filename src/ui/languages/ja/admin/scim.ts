import type { AdminTexts } from "../../admin-texts.ts";

export default {
  title: "プロビジョニング（SCIM）",
  sub: "IDプロバイダーがここでユーザーとグループを追加、変更、無効化します。このページで動作状況を確認できます。",
  failed: "プロビジョニングの状態を読み込めませんでした",
  on: "オン",
  off: "オフ",
  state: "接続",
  base: "IDプロバイダー用のベースURL",
  baseHint: "プロバイダーの「Tenant URL」または「SCIM connector base URL」欄に、そのまま入力してください。",
  provider: "サインインプロバイダー",
  providerNone: "未設定（SCIM_AUTH_PROVIDER）",
  providerUnknown: "未構成",
  providerUnknownHint:
    "externalIdを使うリクエストは500で失敗します。SCIM_AUTH_PROVIDERに構成済みのプロバイダーを設定してください。",
  providerHint: "ユーザーは、サインイン時にexternalIdでこのプロバイダーと照合されます。",
  tokens: "有効なトークン",
  noTokens: "なし",
  rotate:
    "トークンを変更するには、SCIM_TOKEN_PREVIOUSに古いもの、SCIM_TOKENに新しいものを設定して再起動し、プロバイダーに新しいものを入力してから、古いものを削除してください。",
  allowlist: "許可するアドレス",
  everyAddress: "すべてのアドレス",
  tiles: { users: "対象のユーザー", groups: "対象のグループ" },
  last: "最後のリクエスト",
  never: "なし",
  switchOn: {
    title: "有効にする方法",
    text: "プロビジョニングはサービスの開始時に設定されるため、ページからは有効にできません。次の変数を設定して再起動してください：",
    variables: "変数",
    example: (token) => `SCIM_ENABLED=true\nSCIM_TOKEN=${token}\nSCIM_AUTH_PROVIDER=oidc`,
    token:
      "トークンはこのブラウザーで生成した候補で、保存されません。SCIM_AUTH_PROVIDERは、ユーザーがサインインに使うプロバイダーのIDです。",
    base: "IDプロバイダー用のベースURL",
  },
  requests: {
    title: "最近のリクエスト",
    only: "失敗のみ",
    refresh: "更新",
    operation: "操作",
    refused: "拒否",
    done: "完了",
    failed: "リクエストを読み込めませんでした",
    none: "リクエストはまだありません。IDプロバイダーで「Test connection」を押すと、ここに表示されます。",
    noFailures: "失敗したリクエストはありません。",
    noneOff: "リクエストはまだありません。プロビジョニングがオフの間、リクエストはすべて拒否されます。",
  },
} satisfies AdminTexts["admin/scim"];
