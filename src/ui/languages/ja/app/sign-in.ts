import type { AppTexts } from "../../app-texts.ts";

export default {
  signIn: {
    title: "サインイン",
    action: "サインイン",
    other: "初めてご利用ですか？",
    otherAction: "アカウントを作成",
    failed: "サインインできませんでした",
    wrong: "メールアドレスまたはパスワードが正しくありません。",
    closed: "パスワードでのサインインは無効になっています。サインイン方法は管理者にお問い合わせください。",
    signedOut: "サインアウトしました。",
  },
  signUp: {
    title: "アカウントを作成",
    first: "最初のアカウントを作成",
    firstSub: "このアカウントが管理者になります。",
    action: "アカウントを作成",
    other: "アカウントをお持ちですか？",
    otherAction: "サインイン",
    failed: "アカウントを作成できませんでした",
    closed:
      "アカウントを作成できるのは管理者だけです。管理者に依頼するか、アカウントをお持ちの場合はサインインしてください。",
  },
  fields: {
    name: "名前",
    email: "メールアドレス",
    password: "パスワード",
    passwordHint: "8文字以上。記号よりも、いくつかの単語の組み合わせのほうが覚えやすくなります。",
  },
  missing: {
    name: "名前を入力してください。",
    email: "ada@harbour.exampleのようなメールアドレスを入力してください。",
    password: "パスワードを入力してください。",
    newPassword: "8文字以上で入力してください。",
    longPassword: "1,024バイト以内で入力してください。",
  },
  sso: {
    with: (name) => `${name}で続行`,
    going: (name) => `${name}を開いています`,
    newTab: "（新しいタブ）",
    or: "または",
    onItsWay: (name) => `${name}を開いています。`,
    stay: "このページに残る",
    waiting: "開いたページでサインインしてから、このタブに戻ってください。自動的に続行します。",
    failed: "サインインできませんでした",
    unknown:
      "プロバイダーでのサインインに失敗しました。もう一度お試しください。失敗が続く場合は管理者にお知らせください。",
    errors: {
      sso_denied:
        "プロバイダーがサインインを拒否したか、キャンセルされました。もう一度お試しになり、確認画面でアクセスを許可してください。",
      sso_expired: "サインインに時間がかかりすぎたか、ページが2回開かれました。ここからもう一度始めてください。",
      sso_no_account:
        "アカウントがまだありません。サインインしてもアカウントは作成されません。管理者に追加を依頼してください。",
      sso_email_taken:
        "このメールアドレスのアカウントはすでにあり、別の方法でサインインしています。以前の方法でサインインするか、管理者にアカウントの関連付けを依頼してください。",
      sso_email_missing:
        "必要なメールアドレスがプロバイダーから送られませんでした。プロバイダーの設定を変更するよう管理者に依頼してください。",
      sso_email_unverified:
        "メールアドレスがプロバイダーで確認されていません。プロバイダーで確認を済ませてから、もう一度お試しください。",
      sso_domain_not_allowed:
        "このメールアドレスのドメインは許可されていません。業務用のアカウントを使用するか、管理者にお問い合わせください。",
      sso_account_inactive: "アカウントが無効になっています。有効にするよう管理者に依頼してください。",
      sso_organization_inactive: "所属する組織が無効になっています。管理者にお問い合わせください。",
      sso_role_not_allowed: "あなたのロールではこのサービスを利用できません。管理者にアクセス権を依頼してください。",
      sso_provider_failed:
        "プロバイダーに接続できないか、応答が無効でした。後でもう一度お試しください。失敗が続く場合は管理者にお知らせください。原因はサービスのログに記録されています。",
    },
  },
  pause: (seconds) => `試行回数が多すぎます。${duration(seconds)}後に再試行できます。`,
  pauseOver: "再試行できます。",
  again: {
    title: "再度サインイン",
    text: "セッションが終了しました。サインインすると続きから再開できます。入力した内容は失われません。",
    other: "別のアカウントを使用",
    action: "サインインして続行",
    noForm: "セッションが終了しました。新しいタブでサインインすると、ここで続行できます。入力した内容は失われません。",
  },
  waiting: {
    title: "アカウントは承認待ちです",
    text: "管理者による承認が必要です。承認されると、このページは自動的に切り替わります。",
    contact: (name) => `お問い合わせ先（${name}）：`,
    check: "今すぐ確認",
    checked: "まだ承認されていません。たった今確認しました。",
    signOut: "サインアウト",
    signedInAs: (email) => `${email}でサインイン中`,
    failed: "承認状況を確認できませんでした",
  },
} satisfies AppTexts["sign-in"];

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  return `${minutes > 0 ? `${minutes}分` : ""}${rest > 0 || minutes === 0 ? `${rest}秒` : ""}`;
}
