import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "Webhook",
  lead: "ボットや他のシステムがこのチャンネルに投稿するためのアドレスです。アドレスを知っていれば誰でも投稿できます。",
  add: "新しいWebhook",
  none: "Webhookはまだありません。作成すると、スクリプトや他のシステムがここに投稿できます。",
  failed: "Webhookを読み込めませんでした",
  lastUsed: "最終使用",
  neverUsed: "未使用",
  url: "アドレス",
  urlHint: "秘密にしてください。知っている人は誰でも投稿できます。",
  curl: "ターミナルから投稿",
  curlHint: "Idempotency-Keyヘッダーを付けると、2回送信しても1回だけ投稿されます。",
  lost: "暗号化に使った鍵がもう使われていないため、アドレスを表示できません。アドレス自体は引き続き使えます。表示が必要な場合は新しく作成してください。",
  example: "**入港**しました",

  tool: "投稿元",
  setups: {
    curl: { label: "スクリプト", steps: "フィールドcontentにMarkdownを入れたJSONを送信します。" },
    slack: {
      label: "Slack互換",
      steps: "SlackのIncoming Webhookを求められる欄にアドレスを貼り付けます。Jenkins、GitLab、Argo CDなどで使えます。",
      example: "Slackのクライアントを使う場合",
    },
    discord: {
      label: "Discord互換",
      steps: "DiscordのWebhookを求められる欄にアドレスを貼り付けます。",
    },
    alertmanager: { steps: "Alertmanagerの設定にreceiverを追加し、アラートをルーティングします。" },
    grafana: {
      steps:
        "GrafanaでAlerting、Contact pointsの順に開き、種類がWebhookのものを追加して、URLにアドレスを貼り付けます。",
      example: "プロビジョニング用ファイルの場合",
    },
    uptimeKuma: {
      steps:
        "Uptime Kumaで設定、通知、通知を設定の順に開きます。Webhookを選び、Post URLにアドレスを貼り付けて、Preset - application/jsonを選択します。",
    },
    github: {
      steps:
        "リポジトリでSettings、Webhooks、Add webhookの順に開きます。Payload URLにアドレスを貼り付けます。Content typeはどちらでも使えます。必要なイベントを選択してください。",
    },
    titleMessage: {
      label: "タイトルとメッセージ",
      steps: "本文を自分で書くプログラムや、Appriseやntfyのようにタイトルとメッセージを送るプログラム向けです。",
      example: "本文",
    },
  },

  threads: "スレッド",
  threadsHint:
    "同じアラート、プルリクエスト、実行についての投稿は1つのスレッドになります。最初の投稿が現在の状態を示します。",

  requests: {
    title: "最近のリクエスト",
    reload: "再読み込み",
    failed: "リクエストを読み込めませんでした",
    none: "このアドレスへのリクエストはまだありません。",
    posted: "投稿済み",
    repeated: "再送",
    refused: (status) => `拒否（${status}）`,
    unknown: "不明な形式",
  },

  test: "テスト投稿を送信",
  testContent: (name) => `Webhook「${name}」のテストです。`,
  tested: "チャンネルにテストを投稿しました。",
  testFailed: "テストを投稿できませんでした",
  edit: "名前や画像を変更",
  rotate: "新しいアドレス",
  remove: "削除",

  dialog: {
    create: "新しいWebhook",
    edit: "Webhookを編集",
    name: "名前",
    nameHint: "投稿の上に表示されます。",
    nameMissing: "名前を入力してください。",
    editHint: "以前の投稿の名前と画像はそのままです。アドレスも変わりません。",
    make: "Webhookを作成",
    save: "保存",
    makeFailed: "Webhookを作成できませんでした",
    saveFailed: "変更を保存できませんでした",
  },

  askRotate: {
    title: (name) => `「${name}」のアドレスを置き換えますか？`,
    text: "現在のアドレスはすぐに使えなくなります。投稿に使っている全員に新しいアドレスを渡してください。",
    action: "アドレスを置き換える",
    failed: "アドレスを置き換えられませんでした",
    done: (name) => `「${name}」のアドレスが新しくなりました。`,
  },
  askRemove: {
    title: (name) => `「${name}」を削除しますか？`,
    text: "アドレスはすぐに使えなくなります。投稿は「Deleted webhook」の名前でチャンネルに残ります。",
    action: "Webhookを削除",
    failed: "Webhookを削除できませんでした",
    done: (name) => `「${name}」を削除しました。`,
  },
} satisfies AppTexts["channels/webhooks"];
