import type { AppTexts } from "../../app-texts.ts";
import { number, tenths } from "../format.ts";

export default {
  run: "実行",
  runOf: (language) => `このコードを実行（${language}）`,
  again: "再実行",
  stop: "停止",
  running: "コードを実行中",
  done: (time) => `${tenths.format(time)}秒で完了`,
  stopped: "停止済み",
  failed: (name, message) => (message ? `${name}: ${message}` : name),
  failedAt: (name, message, line) =>
    message ? `${number.format(line)}行目：${name}: ${message}` : `${number.format(line)}行目：${name}`,
  tooSlow: (time) => `${tenths.format(time)}秒を超えたため、停止しました。`,
  reasons: {
    timeout: "時間がかかりすぎたため、停止しました。",
    stopped: "メモリを使いすぎたか、休みなく長時間動作したため、停止しました。",
    paused: "コードが何度も停止されました。1分待ってから再試行してください。",
  },
  traceback: "失敗した箇所",
  output: "コードの出力",
  nothing: "出力はありません。",
  cut: "これ以降の出力は表示されません。",
  result: "結果",
  files: "コードのファイル",
  leftOut: (names) => `大きすぎるか、数が多すぎます：${names}`,
  download: "ダウンロード",
  downloadOf: (name) => `${name}をダウンロード`,
  keep: "自分のファイルに保存",
  keepOf: (name) => `${name}を自分のファイルに保存`,
  kept: "保存済み",
  keepFailed: (name) => `${name}を保存できませんでした`,
  filesUnreadable: "チャットのファイルを読み取れなかったため、ファイルなしでコードを実行します。",
  unloaded: "コード用のフレームを読み込めませんでした。",
  tooMuch: "一度に出力する量が多すぎたため、コードを停止しました。",
  unreachable: "コードを実行できませんでした",
  step: {
    running: "コードを実行中",
    done: "コードを実行しました",
    failed: "実行したコードが失敗しました",
    code: "コード",
  },
} satisfies AppTexts["chat/code-runs"];
