import type { AdminTexts } from "../../admin-texts.ts";
import { list, number } from "../format.ts";

export default {
  title: "稼働状況",
  sub: "監視と同じ3つのチェックを、このブラウザーから実行します。",
  again: "再チェック",
  copy: "コピー",
  levels: {
    1: { name: "サービスとデータベース", how: "GET /health" },
    2: { name: "モデルの一覧", how: "GET /api/models" },
    3: { name: "モデルの回答", how: "POST /api/chat/completions" },
  },
  state: { waiting: "チェック中", ok: "OK", failed: "失敗", idle: "未チェック" },
  reasons: {
    database_unreachable: "データベースが応答していません。応答するまで、サインインもチャットの閲覧もできません。",
    database_slow: "データベースの応答に1.5秒以上かかっています。",
    schema_outdated:
      "データベースのスキーマが、このバージョンに必要なものより古くなっています。マイグレーションを実行してください。",
  },
  noAnswer: "サービスが応答していません。",
  models: (count) => `モデル${number.format(count)}個`,
  noModels: "モデルがありません。すべてのプロバイダーに接続できないか、何も接続されていません。",
  unreachable: (names) => `応答なし：${names}。`,
  ask: "モデルに質問",
  model: "モデル",
  question: "「準備完了」とだけ答えてください",
  answered: (answer) => `回答：「${answer}」`,
  empty: "モデルが空の回答を返しました。",
  levelThreeHint: "モデルに短い質問を1つ送信します。プロバイダーの料金がかかる場合があります。",
  time: (milliseconds) => `${number.format(Math.round(milliseconds))}ミリ秒`,
  monitor: {
    title: "監視の設定",
    text: "下のコマンドは、3つのチェックをすべて外部から実行します。終了コードは、最初に失敗したチェックの番号です。専用のアカウントを作成してください。",
  },
  runners: {
    title: "ネイティブランナー",
    ready: "準備完了",
    failed: "利用不可",
    problems: {
      unreachable: "応答がありません。",
      token: "RUNNER_TOKEN が異なります。",
      answer: "ランナーとしての応答ではありません。",
      protocol: "バージョンがこのサービスと一致しません。",
      detached: "RUNNERS から外されているため、このランナーのプラグインは実行されません。",
    },
    wall: "プラグインは、保護されたプロキシ経由でのみネットワークに接続します。",
    noWall: (why) => `システムがプラグインに専用のネットワークを与えないため、保護されたプロキシを迂回できます: ${why}`,
    state: (version, used, max) =>
      `Python ${version}、プロセス ${number.format(used)} / ${number.format(max)} を使用中`,
    plugins: (names) => `プラグイン: ${list.format(names)}`,
    noPlugins: "ここで実行されるプラグインはありません。",
  },
  version: (version) => `バージョン ${version}`,
} satisfies AdminTexts["admin/health"];
