import type { SettingWords } from "../setting-words.ts";

export default {
  LOG_LEVEL: ["ログのレベル", "これより重要度の低い行は出力されません。"],
  LOG_FORMAT: ["ログの形式", "人が読むための行、または1行に1つのJSONオブジェクト。エッジでは常にJSONです。"],
  ACCESS_LOG: [
    "リクエストのログ",
    "応答したリクエストごとに1行：メソッド、ルート、ステータス、所要時間、バイト数、リクエストID、呼び出し元のアドレス、ユーザーのID。",
  ],
  MAX_JSON_VALUES: ["本文の値の数", "通常のリクエストのJSON本文に含められる値の数。"],
  MAX_LARGE_JSON_VALUES: [
    "大きな本文の値の数",
    "会話を送るリクエスト（チャット、補完、ローカルランタイムの呼び出し）での同じ上限。",
  ],
  MAX_BODY_MEMORY: ["本文用のメモリ", "同時に処理できるJSON本文のメガバイト数。それ以上のリクエストは待機します。"],
  CLIENT_ADDRESS_HEADER: [
    "呼び出し元のアドレスのヘッダー",
    "接続を受け付けるものが設定し、アドレスごとの上限に使われます。1台のマシンではランチャーが、エッジではCloudflareが設定します。",
  ],
  PUBLIC_ORIGIN_HEADER: [
    "公開アドレスのヘッダー",
    "接続を受け付けるものが、ユーザーから見えるスキームとホストで設定します。1台のマシンでは、TRUSTED_PROXIESにあるプロキシが伝える場合にランチャーが設定します。WEBUI_URLが優先されます。",
  ],
  BASE_PATH: [
    "ベースパス",
    "ページ、API、ソケット、リンク、Cookieなど、Parleyのすべてが/parleyなどのこのパスの下に置かれます。プロキシはパス全体をそのまま渡します。",
  ],
  ENV: ["モード", "devでは、APIドキュメントを/docsと/openapi.jsonで提供します。"],
  PROCESS_CONFINEMENT: [
    "プロセスの制限",
    "プラグイン、ドキュメント、パスワード用のプロセスからシステムが取り上げるもの。1台のマシンではランチャーが設定します。walls: 特権、サービスのファイル、何も呼び出さないプロセスではネットワークも。privileges: 特権のみ。空: プラットフォームが決めます。",
  ],
  WEBUI_NAME: ["名前", "サインインページとタブのタイトルに表示されます。"],
  WEBUI_URL: [
    "公開アドレス",
    "ユーザーがサービスにアクセスするアドレス。httpsの場合、セッションCookieはhttpsでのみ送信されます。",
  ],
  OUTBOUND_ALLOWED_PRIVATE_HOSTS: [
    "許可するプライベートアドレス",
    "hostまたはhost:portをコンマ区切りで指定します。プライベートアドレスでも、ユーザーとプラグインが呼び出せるようになります。",
  ],
  OUTSIDE_PICTURES: [
    "他のサイトの画像",
    "テキスト内にある他のサイトの画像。サービスが取得するため、誰が読んでいるかはそのサイトに知られません。ask: 読む人がクリックするまで何も取得しません。show: モデルにこのような画像を書かせた人は、画像のアドレスに含まれる内容を知ることができます。link: 何も取得しません。",
  ],
  ENABLE_SIGNUP: ["ユーザー登録を許可", "オフの場合、アカウントを作成できるのは管理者とIDプロバイダーだけです。"],
  DEFAULT_USER_ROLE: ["新しいユーザーのロール", "承認待ちのユーザーは、管理者が有効にするまで待つ必要があります。"],
  MAX_WAITING_ACCOUNTS: [
    "待機できるアカウント数",
    "有効化を待つユーザーがこの人数に達すると、それ以上は登録できません。1つのネットワークが使えるのは枠の4分の1です。待機期間は最長7日です。",
  ],
  MAX_NETWORK_SIGNUPS: [
    "1つのネットワークからの登録数",
    "1つのネットワーク（IPv4 /24、IPv6 /64）から一度に登録できる人数。その後は1時間ごとに同じ人数が登録できます。0: 上限なし。",
  ],
  ENABLE_USER_STATUS: [
    "ステータスメッセージ",
    "今していることを、絵文字を添えて伝えられます。同じ組織のユーザーに表示されます。",
  ],
  SECOND_FACTOR: [
    "2要素認証を必須にするユーザー",
    "パスワードでサインインするユーザーが対象です。対象者は何よりも先に設定を行います。管理者とは、サービスと組織の管理者を指します。組織は、所属する全員に必須とすることもできます。シングルサインオンとAPIキーは対象外です。",
  ],
  ENABLE_PASSKEYS: [
    "パスキー",
    "パスワードを持つユーザーがパスキーを追加し、パスワードなしのサインインや2要素認証に使えます。オフの場合、登録済みのパスキーはサインインにも2要素認証にも使えません。",
  ],
  PASSWORD_COST: [
    "パスワードハッシュの計算量",
    "パスワードの確認や、盗まれたデータベースからの推測にかかる計算量。scryptのNを2の累乗で指定します。14は16 MBと約0.2秒、15と16は32 MBと64 MBで約0.35秒かかります。14未満はテスト用です。既存のパスワードは次回のサインイン時に新しい値に変わります。",
  ],
  JWT_EXPIRES_IN: ["セッションの有効期間", "12hや4wのような、単位の付いた数値。-1: セッションは期限切れになりません。"],
  SHOW_ADMIN_DETAILS: ["管理者の連絡先を表示", "承認を待つユーザーに、管理者の名前とアドレスを表示します。"],
  ADMIN_EMAIL: [
    "連絡先アドレス",
    "承認を待つユーザーに表示されます。空欄の場合は、最初の管理者のアドレスを表示します。",
  ],
  PENDING_USER_OVERLAY_TITLE: ["待機ページ：タイトル", "空欄の場合は、組み込みのタイトルを使用します。"],
  PENDING_USER_OVERLAY_CONTENT: ["待機ページ：本文", "空欄の場合は、組み込みの本文を使用します。"],
  MAX_PERSON_STORAGE: ["ユーザーのストレージ（MB）", "1人のユーザーのファイルが使える合計容量。0: 上限なし。"],
  MAX_ORGANIZATION_STORAGE: [
    "組織のストレージ（MB）",
    "組織の全ユーザーのファイルが合わせて使える容量。0: 上限なし。組織ごとに独自の上限を設定できます。",
  ],
  MAX_SERVICE_STORAGE: [
    "サービスのストレージ（MB）",
    "すべてのファイルが合わせて使える容量。0: 上限なし。ディスクのサイズより小さく設定してください。",
  ],
  MAX_FILES: ["ユーザーのファイル数", "1人のユーザーが持てるファイルの数。0: 上限なし。"],
  MAX_CHATS: ["ユーザーのチャット数", "アーカイブ済みを含め、1人のユーザーが持てるチャットの数。0: 上限なし。"],
  MAX_WAITING_JOBS: [
    "ユーザーの待機中の処理",
    "1人のユーザーについて、読み取りを待てるファイルの数と、チャンネルで同時に作成できるモデルの回答の数。0: 上限なし。",
  ],
  RATE_LIMITS: [
    "1分あたりのリクエスト数",
    "person.models=600のような上限をセミコロン区切りで指定します。対象：person、key（APIのキー）、organization、address（サインインしていないネットワーク）。内容：models、uploads、searches、reads、writes、all。指定がないものに上限はありません。",
  ],
  RETENTION_CHATS: [
    "チャット（日）",
    "最後の変更からの日数。ピン留めやアーカイブしたチャットも含みます。0: 無期限に保持。組織ごとに独自の期間を設定できます。",
  ],
  RETENTION_FILES: [
    "ファイル（日）",
    "アップロードまたは最後の変更からの日数。ナレッジベース、チャンネル、モデル、チャットにあるファイルは、そこにある間は保持されます。0: 無期限に保持。組織ごとに独自の期間を設定できます。",
  ],
  RETENTION_CHANNEL_MESSAGES: [
    "チャンネルのメッセージ（日）",
    "投稿からの日数。0: 無期限に保持。組織ごとに独自の期間を設定できます。",
  ],
  RETENTION_LOGS: [
    "ログ（日）",
    "モデルの呼び出し、監査ログ、Webhookの配信、保存されたAPI応答。一部はもともとより短い期間で削除されます。0: 無期限に保持。組織ごとに独自の期間を設定できます。",
  ],
  MIN_FREE_DISK: [
    "ディスクの空き容量（MB）",
    "データフォルダーのディスクの空きがこれを下回ると、アップロードは507で拒否され、管理者に警告が表示されます。0: 拒否も警告もしません。1台のマシンで動かす場合に限ります。",
  ],
  ENABLE_API_KEYS: [
    "APIキーを有効化",
    "ユーザーがスクリプト用のキーを作成できます。管理者以外は「APIキーの使用」権限も必要です。オフの場合、すべてのキーが使えなくなります。",
  ],
  ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: [
    "APIキーのエンドポイント制限",
    "キーで呼び出せるのは、下に指定したエンドポイントだけになります。一覧が空の場合は、何も呼び出せません。",
  ],
  API_KEYS_ALLOWED_ENDPOINTS: [
    "許可するエンドポイント",
    "コンマ区切り。例：GET /api/models, /api/chat/completions, /api/v1/users/:id/info, /api/v1/chats/*。メソッドを付けない場合は、すべてのメソッドが許可されます。/*はその下すべてに一致します。",
  ],
  CUSTOM_API_KEY_HEADER: ["APIキーのヘッダー", "プロキシ自身がAuthorizationを使う場合に、キーを送るヘッダー。"],
  USER_PERMISSIONS_FEATURES_API_KEYS: [
    "全員にAPIキーを許可",
    "この既定の権限を上書きします。設定しない場合は、グループのページにある既定の権限が適用されます。",
  ],
  OPENID_PROVIDER_URL: [
    "IDプロバイダー",
    "発行者、またはディスカバリードキュメントのアドレス（https。httpはループバックのみ）。",
  ],
  OAUTH_CLIENT_ID: ["クライアントID", "プロバイダーでのこのサービスのID。"],
  OAUTH_CLIENT_SECRET: ["クライアントシークレット", "パブリッククライアントの場合は空欄にします。"],
  OAUTH_PROVIDER_NAME: ["プロバイダーの名前", "サインインページのボタンに表示されます。"],
  OAUTH_SCOPES: ["スコープ", "要求するスコープ。スペース区切りで、openidを必ず含めます。"],
  OPENID_REDIRECT_URI: [
    "コールバックアドレス",
    "プロバイダーに登録したもの。空欄の場合：<public address>/oauth/oidc/login/callback。",
  ],
  GOOGLE_CLIENT_ID: ["Google：クライアントID", "Googleをプロバイダーとして追加します。"],
  GOOGLE_CLIENT_SECRET: ["Google：クライアントシークレット", "Googleが発行したシークレット。"],
  GOOGLE_REDIRECT_URI: ["Google：コールバックアドレス", "空欄の場合：<public address>/oauth/google/login/callback。"],
  MICROSOFT_CLIENT_ID: ["Microsoft：クライアントID", "Microsoft Entra IDをプロバイダーとして追加します。"],
  MICROSOFT_CLIENT_SECRET: ["Microsoft：クライアントシークレット", "Entra IDが発行したシークレット。"],
  MICROSOFT_CLIENT_TENANT_ID: ["Microsoft：テナント", "テナントのIDまたはドメイン。"],
  MICROSOFT_REDIRECT_URI: [
    "Microsoft：コールバックアドレス",
    "空欄の場合：<public address>/oauth/microsoft/login/callback。",
  ],
  ENABLE_OAUTH_SIGNUP: [
    "シングルサインオンによる登録",
    "プロバイダー経由で初めてサインインしたときに、アカウントが作成されます。",
  ],
  OAUTH_MERGE_ACCOUNTS_BY_EMAIL: [
    "メールアドレスで統合",
    "既存のアカウントの確認済みアドレスでサインインしたユーザーは、そのアカウントを引き継ぎます。アカウントのセッションは終了し、パスワードとAPIキーは削除されます（管理者のものは残ります）。",
  ],
  OAUTH_ALLOWED_DOMAINS: ["メールのドメイン", "サインインを許可するドメイン。コンマ区切り。*はすべてを許可します。"],
  OAUTH_SUB_CLAIM: [
    "クレーム：識別子",
    "プロバイダーでのユーザーの不変のID。SCIMを使う場合は、externalIdと同じである必要があります。",
  ],
  OAUTH_USERNAME_CLAIM: ["クレーム：名前", "ユーザーの名前が入るクレーム。"],
  OAUTH_EMAIL_CLAIM: ["クレーム：メールアドレス", "メールアドレスが入るクレーム。"],
  OAUTH_PICTURE_CLAIM: ["クレーム：画像", "画像のURLが入るクレーム。空欄の場合、画像は使われません。"],
  OAUTH_UPDATE_NAME_ON_LOGIN: ["サインイン時に名前を更新", "保存済みの名前を、プロバイダーの名前で置き換えます。"],
  OAUTH_UPDATE_EMAIL_ON_LOGIN: [
    "サインイン時にメールアドレスを更新",
    "保存済みのアドレスを、プロバイダーの確認済みアドレスで置き換えます。他のアカウントが使っている場合は除きます。",
  ],
  OAUTH_UPDATE_PICTURE_ON_LOGIN: ["サインイン時に画像を更新", "保存済みの画像を、プロバイダーの画像で置き換えます。"],
  ENABLE_OAUTH_ROLE_MANAGEMENT: [
    "ロールをプロバイダーで管理",
    "サインインのたびに、ロールのクレームで決まります。下のロールを1つも持たないユーザーはサインインできません。",
  ],
  OAUTH_ROLES_CLAIM: ["クレーム：ロール", "入れ子のクレームはドットで区切ります。"],
  OAUTH_ALLOWED_ROLES: ["サインインできるロール", "プロバイダーでの名前。コンマ区切り。"],
  OAUTH_ADMIN_ROLES: ["管理者になるロール", "プロバイダーでの名前。コンマ区切り。"],
  ENABLE_OAUTH_GROUP_MANAGEMENT: [
    "グループをプロバイダーで管理",
    "サインインのたびに、グループのクレームに従って、グループへの追加と除外が行われます。",
  ],
  OAUTH_GROUPS_CLAIM: ["クレーム：グループ", "入れ子のクレームはドットで区切ります。"],
  ENABLE_OAUTH_GROUP_CREATION: ["存在しないグループを作成", "クレームにあり、まだ存在しないグループを作成します。"],
  OAUTH_BLOCKED_GROUPS: ["無視するグループ", "名前。コンマ区切り。*は任意の文字列に一致します。"],
  OAUTH_CODE_CHALLENGE_METHOD: ["PKCEの方式", "コードチャレンジの生成方法。コードチャレンジは常に送信されます。"],
  OAUTH_TOKEN_ENDPOINT_AUTH_METHOD: [
    "クライアントシークレットの送信方法",
    "Autoの場合は、プロバイダーが対応している方法を使用します。",
  ],
  OAUTH_TIMEOUT: ["プロバイダーのタイムアウト（秒）", "プロバイダーへのリクエストごとに適用されます。"],
  OAUTH_AUTO_REDIRECT: ["すぐにプロバイダーへ移動", "プロバイダーが1つだけの場合に限ります。"],
  ENABLE_OAUTH_BACKCHANNEL_LOGOUT: [
    "バックチャネルログアウト",
    "プロバイダーが/oauth/backchannel-logoutを使ってセッションを終了できます。",
  ],
  OPENID_END_SESSION_ENDPOINT: [
    "プロバイダーのサインアウトアドレス",
    "サインアウトの処理を引き継ぐアドレス。空欄の場合は、ディスカバリードキュメントのアドレスを使用します。",
  ],
  WEBUI_AUTH_SIGNOUT_REDIRECT_URL: [
    "サインアウト後",
    "サインアウト後の移動先。プロバイダーでもサインアウトする場合は、このアドレスをプロバイダーに登録してください。",
  ],
  ENABLE_LOGIN_FORM: [
    "パスワードのフォームを表示",
    "サインインページにメールアドレスとパスワードを表示します。オフの場合は、プロバイダーのボタンだけが表示されます。",
  ],
  ENABLE_PASSWORD_AUTH: ["パスワード", "パスワードでのサインインと登録を許可します。"],
  SCIM_ENABLED: ["プロビジョニング（SCIM）", "IDプロバイダーがアカウントとグループを作成、変更、無効化できます。"],
  SCIM_TOKEN: ["IDプロバイダーのトークン", "IDプロバイダーがBearerトークンとして送信する、長いランダムな文字列。"],
  SCIM_TOKEN_PREVIOUS: ["以前のトークン", "IDプロバイダーに新しいトークンが設定されるまで、これも受け付けます。"],
  SCIM_AUTH_PROVIDER: [
    "プロビジョニングしたユーザーのサインインプロバイダー",
    "externalIdが属するサインインプロバイダーのID。oidcやmicrosoftなど。",
  ],
  SCIM_IP_ALLOWLIST: [
    "許可するアドレス",
    "プロビジョニングを許可するアドレスまたは範囲。コンマ区切り。空欄の場合は、すべてのアドレスを許可します。",
  ],
  SCIM_IP_HEADER: [
    "呼び出し元のアドレスのヘッダー",
    "プロキシが呼び出し元のアドレスを送るヘッダー。CloudflareではCF-Connecting-IP、それ以外では多くの場合X-Real-IPまたはX-Forwarded-Forです。",
  ],
  DEFAULT_MODEL_VISIBILITY: [
    "アクセス権の指定がないモデルの公開範囲",
    "アクセス権が誰にも指定されていないモデルを見られるユーザー。",
  ],
  DEFAULT_MODELS: [
    "既定のモデル",
    "モデルID。コンマ区切り。新しいチャットでは、ユーザーが見られる最初のものを使用します。",
  ],
  DEFAULT_PINNED_MODELS: [
    "ピン留めするモデル",
    "モデルID。コンマ区切り。何もピン留めしていないユーザーの一覧で先頭に表示されます。",
  ],
  CONNECTION_OPTIONS: [
    "環境で設定した接続のオプション",
    '接続IDをキーとするJSONオブジェクト。例：{"env-openai-0": {"quirks": {"rename": {"max_tokens": "max_completion_tokens"}}, "policy": {"max_concurrent": 8}}}。',
  ],
  UPSTREAM_TIMEOUT: [
    "プロバイダーのタイムアウト（秒）",
    "回答が始まるまで、および回答の途中で、プロバイダーがデータを送らなくてもよい時間。",
  ],
  OPENAI_API_BASE_URLS: ["OpenAI互換の接続", "ベースアドレス。セミコロン区切り。"],
  OPENAI_API_KEYS: ["OpenAI互換の接続のキー", "アドレスと同じ順序で、セミコロン区切り。"],
  ANTHROPIC_API_BASE_URLS: ["Messages APIの接続", "ベースアドレス。セミコロン区切り。"],
  ANTHROPIC_API_KEYS: ["Messages APIの接続のキー", "アドレスと同じ順序で、セミコロン区切り。"],
  LOCALMODEL_BASE_URLS: ["ローカルランタイム", "ベースアドレス。セミコロン区切り。"],
  ENABLE_DIRECT_CONNECTIONS: [
    "個人の接続",
    "features.direct_connections権限を持つユーザーは、自分のキーで、自分だけが使うプロバイダーを接続できます。",
  ],
  ENABLE_PLUGINS: [
    "プラグインを実行",
    "オフの場合、ファンクションもプラグインのツールも実行されません。保存済みのプラグインは残ります。",
  ],
  SAFE_MODE: ["セーフモード", "個々のスイッチに関係なく、すべてのファンクションをオフとして扱います。"],
  RUNNERS: [
    "ネイティブランナー",
    "http://runner:8710 のようなアドレス。コンマ区切り。管理者は、Pythonプラグインをサンドボックスの外にあるこのランナーで実行できます。",
  ],
  RUNNER_TOKEN: ["ネイティブランナーのトークン", "ランナーのRUNNER_TOKENと同じもの。"],
  PLUGIN_TIMEOUT: ["プラグイン呼び出しのタイムアウト（秒）", "人の回答を待つ時間は含みません。"],
  PLUGIN_TASK_TIMEOUT: [
    "応答後のタスク（秒）",
    "Pythonプラグインの関数が応答した後、実行中のまま残したタスクとスレッドが続けられる時間。呼び出しのタイムアウトに含まれます。0: 応答とともに終了します。",
  ],
  PLUGIN_PACKAGE_REGISTRIES: [
    "Pythonパッケージのレジストリ",
    "https://pypi.org/simple/ のような、プラグイン用のパッケージを取得できるレジストリのアドレス。名前が見つかった最初のレジストリを使用します。空欄の場合は何も取得せず、wheelをアップロードします。",
  ],
  PLUGIN_INTERPRETER_PACKAGES: [
    "インタープリター用のパッケージ",
    "numpy、pandas、pillow、lxmlなどのパッケージを取得できるフォルダーのアドレス：https://cdn.jsdelivr.net/pyodide/v314.0.7/full/ またはそのコピー。インタープリターのロックファイルにあるSHA-256と一致するファイルだけを受け入れます。空欄の場合はアップロードします。",
  ],
  PLUGIN_DATABASE_MAX_SIZE: [
    "プラグインのデータベース（MB）",
    "1つのプラグインのSQLiteファイルが合わせて使える、圧縮後の容量。管理者以外のユーザーのツールでは、使うユーザーごとにこの容量が割り当てられます。0: プラグインはデータベースを持ちません。",
  ],
  OUTLET_FILTER_MODE: [
    "API呼び出しのoutletフィルター",
    "stable: /api/chat/completedでのみ実行されます。prerelease: チャットに保存されるAPI呼び出しの終了時にも実行されます。HTTPで返される回答は変更されません。",
  ],
  WEBSOCKET_EVENT_CALLER_TIMEOUT: ["ユーザーへの質問のタイムアウト（秒）", "プラグインがユーザーの回答を待つ時間。"],
  ENABLE_EXTERNAL_EXECUTE: [
    "外部ツールによるブラウザーでのコード実行を許可",
    "イベントのエンドポイントがexecuteイベントを受け付けるかどうか。コードは、セッションにアクセスできないフレーム内で実行されます。",
  ],
  ENABLE_FORWARD_USER_INFO_HEADERS: [
    "ツールサーバーにユーザー情報を送信",
    "外部ツールの呼び出しに、チャットID、メッセージID、ユーザーの情報を追加します。",
  ],
  FORWARD_USER_INFO_HEADER_JWT_SECRET: [
    "署名付きユーザー情報のシークレット",
    "設定すると、ユーザーの情報は通常のヘッダーではなく署名付きトークン（HS256）として送信されます。",
  ],
  TOOL_CALL_TURNS: [
    "回答ごとのツール呼び出しの回数",
    "この回数を超えると、モデルはツールなしで回答する必要があります。",
  ],
  TOOL_RESULT_LIMIT: [
    "ツールの結果の最大長（文字）",
    "これより長い結果は、モデルには切り詰めたうえでその旨を添えて渡され、全体はファイルとして保存されます。",
  ],
  RAG_FILE_MAX_SIZE: ["最大ファイルサイズ（MB）", "これより大きいファイルは、アップロード中に拒否されます。"],
  RAG_FILE_MAX_COUNT: ["メッセージあたりのファイル数", "1つのメッセージに添付できるファイルの数。"],
  RAG_ALLOWED_FILE_EXTENSIONS: [
    "許可するファイルの種類",
    "アップロードできる拡張子。pdfやdocxなど。空欄の場合は、すべて許可されます。",
  ],
  FILE_PROCESSING_TIMEOUT: [
    "処理のタイムアウト（秒）",
    "この時間内に検索可能にならないファイルは、失敗として扱われます。",
  ],
  CONTENT_EXTRACTION_ENGINE: [
    "ドキュメントの読み取り",
    "external: 下記のサービスがすべてのファイルを読み取ります。それ以外の場合は、Parleyが読み取れないものだけを読み取ります。",
  ],
  EXTERNAL_DOCUMENT_LOADER_URL: [
    "外部の読み取りサービスのアドレス",
    "ファイルをPUT {address}/processで受け取り、page_contentを返します。空欄の場合、外部の読み取りサービスは使われません。",
  ],
  EXTERNAL_DOCUMENT_LOADER_API_KEY: ["外部の読み取りサービスのキー", "Bearerトークンとして送信されます。"],
  RAG_VISION_MODEL: [
    "画像を読み取るモデル",
    "画像を認識できるモデルのID。画像とスキャンしたページを読み取ります。設定しない場合、これらのテキストは得られません。",
  ],
  ENABLE_KNOWLEDGE_FILE_RETENTION: [
    "取り除いたファイルを残す",
    "オフの場合、自分のファイルをナレッジベースから取り除くと、他で使われていない限りファイルも削除されます。ナレッジベースを削除したときも同様です。リクエストでこの設定を上書きできます。",
  ],
  RAG_EMBEDDING_MODEL: [
    "埋め込みモデル",
    "パッセージをベクトルに変換するモデルのID。空欄の場合は、語句のみで検索します。",
  ],
  CHUNK_SIZE: ["パッセージの長さ（文字）", "今後処理するファイルに適用されます。"],
  CHUNK_OVERLAP: ["パッセージの重なり（文字）", "前のパッセージを繰り返す長さ。パッセージの長さの半分まで。"],
  RAG_EMBEDDING_BATCH_SIZE: ["呼び出しあたりのパッセージ数", "埋め込みモデルに一度に送るパッセージの数。"],
  RAG_EMBEDDING_CONTENT_PREFIX: [
    "パッセージの接頭辞",
    "埋め込みモデルがドキュメントのテキストの前に必要とする接頭辞。「passage: 」など。",
  ],
  RAG_EMBEDDING_QUERY_PREFIX: ["質問の接頭辞", "埋め込みモデルが質問の前に必要とする接頭辞。「query: 」など。"],
  RAG_TOP_K: ["回答あたりのパッセージ数", "モデルに渡す上位のパッセージの数。"],
  RAG_RELEVANCE_THRESHOLD: ["最小類似度", "0～1。意味だけで見つかったパッセージは、これを下回ると除外されます。"],
  RAG_HYBRID_BM25_WEIGHT: ["語句による検索の重み", "1: 語句のみ。0: 埋め込みモデルがあれば意味のみ。"],
  RAG_RERANKING_URL: [
    "リランカーのアドレス",
    "{model, query, documents, top_n}を受け取り、indexとrelevance_scoreを含むresultsを返します。空欄の場合、リランカーは使われません。",
  ],
  RAG_RERANKING_MODEL: ["リランカーのモデル", "modelとしてリランカーに送信されます。"],
  RAG_RERANKING_API_KEY: ["リランカーのキー", "Bearerトークンとして送信されます。"],
  RAG_CONTEXT_TOKENS: ["パッセージの上限（トークン）", "1つの回答の全パッセージを合わせた、推定値での上限。"],
  RAG_TEMPLATE: [
    "パッセージ用のプロンプト",
    "{{CONTEXT}}と{{QUERY}}を使います。空欄の場合は、Parleyのプロンプトを使用します。",
  ],
  ENABLE_RETRIEVAL_QUERY_GENERATION: [
    "モデルによる検索語の作成",
    "まずタスクモデルが会話から検索語を作成します。長い会話では精度が上がりますが、時間がかかります。",
  ],
  ENABLE_WEB_SEARCH: ["Web検索", "権限を持つユーザーは、回答のためにWebを検索させることができます。"],
  WEB_SEARCH_ENGINE: [
    "プロバイダー",
    "Webを検索するプロバイダー。渡されるのは検索語だけで、チャットの他の内容は渡されません。",
  ],
  SEARXNG_QUERY_URL: [
    "SearXNG：アドレス",
    "http://localhost:8888/search など。SearXNGの設定でjson形式を許可する必要があります。",
  ],
  BRAVE_SEARCH_API_KEY: ["Brave：キー", "暗号化して保存され、再表示されません。"],
  TAVILY_API_KEY: ["Tavily：キー", "暗号化して保存され、再表示されません。"],
  GOOGLE_PSE_API_KEY: ["Google：キー", "暗号化して保存され、再表示されません。"],
  GOOGLE_PSE_ENGINE_ID: ["Google：検索エンジンのID", "Programmable Search EngineのID（cx）。"],
  EXTERNAL_WEB_SEARCH_URL: [
    "独自のプロバイダー：アドレス",
    "JSONで応答します。アドレス内の{query}と{count}は置き換えられ、GETで呼び出されます。{query}がない場合は、queryとcountをJSONとしてPOSTで受け取ります。",
  ],
  EXTERNAL_WEB_SEARCH_HEADER: [
    "独自のプロバイダー：ヘッダー",
    "「名前: 値」の形式。{key}はキーを表します。キーがない場合は送信されません。",
  ],
  EXTERNAL_WEB_SEARCH_API_KEY: ["独自のプロバイダー：キー", "暗号化して保存され、再表示されません。"],
  EXTERNAL_WEB_SEARCH_RESULTS: [
    "独自のプロバイダー：結果の一覧",
    "応答内での一覧の位置。data.itemsなど。空欄: 応答全体が一覧です。",
  ],
  EXTERNAL_WEB_SEARCH_ADDRESS: ["独自のプロバイダー：結果のアドレス", "結果内での位置。urlやpage.hrefなど。"],
  EXTERNAL_WEB_SEARCH_TITLE: ["独自のプロバイダー：結果のタイトル", "結果内での位置。"],
  EXTERNAL_WEB_SEARCH_SNIPPET: ["独自のプロバイダー：結果のテキスト", "結果内での短いテキストの位置。"],
  WEB_SEARCH_MCP_SERVER: ["MCP：サーバー", "ツールサーバーのID。このサーバーを使えるユーザーだけが検索できます。"],
  WEB_SEARCH_MCP_TOOL: ["MCP：ツール", "サーバーの検索用ツールの名前。検索語はqueryとして渡されます。"],
  WEB_SEARCH_RESULT_COUNT: ["結果の数", "回答ごとに要求して読み取る結果の数。"],
  WEB_SEARCH_DOMAIN_FILTER_LIST: [
    "ドメイン",
    "example.orgのようなドメインを指定すると、そのドメインとその下だけが許可されます。前に!を付けるとブロックされます。空欄の場合は、すべて許可されます。",
  ],
  ENABLE_SEARCH_QUERY_GENERATION: [
    "モデルによる検索語の作成",
    "まずタスクモデルが会話から検索語を作成します。それ以外の場合は、質問の語句がそのまま送信されます。",
  ],
  BYPASS_WEB_SEARCH_WEB_LOADER: [
    "短いテキストのみ",
    "ページは開かれません。モデルには、結果の短いテキストが渡されます。",
  ],
  WEB_SEARCH_CONTEXT_TOKENS: [
    "パッセージの上限（トークン）",
    "1つの回答でページから使う全パッセージの、推定値での上限。",
  ],
  WEB_LOADER_TIMEOUT: ["ページの待ち時間（秒）", "この時間内に届かないページは除外されます。"],
  ENABLE_IMAGE_GENERATION: ["モデルによる画像", "権限を持つユーザーは、画像を生成させることができます。"],
  IMAGE_GENERATION_CONNECTION: ["画像用の接続", "OpenAIの/images/generationsを備えた接続。"],
  IMAGE_GENERATION_MODEL: ["画像用のモデル", "gpt-image-1などの、プロバイダーでの名前。"],
  IMAGE_SIZE: ["サイズ", "1024x1024のようなピクセル単位の幅と高さ、またはauto。空欄の場合は、プロバイダーが決めます。"],
  IMAGE_STEPS: ["ステップ数", "LocalAIなど、ステップ数を受け付けるプロバイダー向け。0: 送信しません。"],
  ENABLE_IMAGE_PROMPT_GENERATION: [
    "モデルによる説明文の作成",
    "まずタスクモデルが会話から説明文を作成します。それ以外の場合は、質問の語句がそのまま送信されます。",
  ],
  ENABLE_IMAGE_EDIT: ["画像の変更", "プロバイダーの/images/editsで、チャットの画像を変更できます。"],
  IMAGE_EDIT_MODEL: ["変更用のモデル", "空欄の場合は、画像用のモデルを使用します。"],
  AUDIO_STT_ENGINE: [
    "音声入力",
    "話した内容を文字にするもの：各ユーザーのブラウザー（開発元に音声を送る場合があります）、接続、または使用しない。",
  ],
  AUDIO_STT_CONNECTION: ["音声入力用の接続", "OpenAIの/audio/transcriptionsを備えた接続。"],
  AUDIO_STT_MODEL: ["音声入力用のモデル", "プロバイダーでの名前。"],
  AUDIO_STT_MAX_SIZE: ["録音の最大サイズ（MB）", "これより大きい録音は、受信中に拒否されます。"],
  AUDIO_TTS_ENGINE: ["読み上げ", "回答を読み上げるもの：各ユーザーのブラウザー、接続、または使用しない。"],
  AUDIO_TTS_CONNECTION: ["読み上げ用の接続", "OpenAIの/audio/speechを備えた接続。"],
  AUDIO_TTS_MODEL: ["読み上げ用のモデル", "プロバイダーでの名前。"],
  AUDIO_TTS_VOICE: ["声", "声を選んでいないユーザーに使う声。"],
  AUDIO_TTS_VOICES: ["声の選択肢", "ユーザーが選べる声。プロバイダーでの名前で指定します。"],
  USAGE_RECORD_DAYS: [
    "個々の呼び出しの保持（日）",
    "誰がどのモデルを、いつ、どれだけの時間呼び出したか。日ごとの合計は無期限に保持されます。",
  ],
  ENABLE_PUBLIC_ACTIVE_USERS_COUNT: [
    "アクティブなユーザーを全員に表示",
    "GET /api/usage：アクティブなユーザーの数と、使用中のモデル。オフの場合は管理者のみ。",
  ],
  ENABLE_CHANNELS: [
    "チャンネル",
    "ユーザー、ボット、モデルが話し合う場所。オフの場合、チャンネルの閲覧も投稿もできません。",
  ],
  CHANNEL_CONTEXT_MESSAGES: [
    "モデルのコンテキスト（メッセージ）",
    "チャンネルまたはスレッドで質問されたときに、質問を含めてモデルに渡す最新メッセージの数。",
  ],
  ENABLE_CHANNEL_WEBHOOK_NAMES: [
    "Webhookの投稿の名前と画像",
    "投稿に独自の名前と画像を付けられます。Webhookの名前と一緒に表示されます。オフの場合は省かれます。",
  ],
  CHANNEL_WEBHOOK_RATE: [
    "Webhookのレート制限（1分あたりの投稿）",
    "チャンネルのWebhookごとに、継続して投稿できるレート。これを超える投稿には429を返します。",
  ],
  CHANNEL_WEBHOOK_BURST: ["Webhookのバースト（投稿）", "しばらく使われていないWebhookが続けて送信できる投稿の数。"],
  WEBHOOK_URL: [
    "WebhookのURL",
    "新しいユーザーごとにメッセージを受け取ります。配信と署名シークレットは「Webhook」にあります。",
  ],
  ENABLE_USER_WEBHOOKS: [
    "ユーザーのWebhook",
    "離席中に回答が完了したときに呼び出されるWebhookを、ユーザーが設定できます。",
  ],
  SMTP_HOST: ["メールサーバー", "SMTPサーバーのホスト名。空欄の場合、メールは送信されません。"],
  SMTP_PORT: ["ポート", "通常はSTARTTLSでは587、TLSでは465です。"],
  SMTP_SECURITY: [
    "暗号化",
    "tls: 最初から暗号化します。starttls: 秘密の内容を送る前に暗号化し、できない場合は送信しません。none: 同じマシンまたはネットワークにあるサーバー向け。",
  ],
  SMTP_USER: ["ユーザー名", "空欄の場合、Parleyはメールサーバーにサインインしません。"],
  SMTP_PASSWORD: ["パスワード", "管理 > メールで入力したパスワードを上書きします。"],
  SMTP_FROM: [
    "差出人",
    "parley@example.orgや、Parley <parley@example.org>など。設定しない場合、メールは送信されません。",
  ],
  METRICS_TOKEN: [
    "メトリクスのトークン",
    "Prometheusが/metricsにBearerトークンとして送信する、16文字以上のランダムな文字列。設定しない場合、/metricsは404になります。",
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    "コレクター",
    "OpenTelemetryコレクターのアドレス。http://127.0.0.1:4318 など。トレースはその下の/v1/tracesに送信されます。設定しない場合、トレースはありません。",
  ],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: [
    "トレースのコレクター",
    "パスを含む、トレース用の完全なアドレス。もう一方より優先されます。",
  ],
  OTEL_EXPORTER_OTLP_HEADERS: [
    "コレクター用のヘッダー",
    "name=valueをコンマ区切りで指定します。キーなどに使います。値は%でエスケープできます。",
  ],
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: [
    "トレース用のヘッダー",
    "トレースだけに使う同様のヘッダー。同じ名前の場合は、もう一方より優先されます。",
  ],
  OTEL_EXPORTER_OTLP_PROTOCOL: [
    "コレクターのプロトコル",
    "ParleyはHTTPでJSONを送信します。どのコレクターもHTTPポート（4318）で受け付けます。",
  ],
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: ["トレースのプロトコル", "トレースだけに使う同様のプロトコル。"],
  OTEL_SERVICE_NAME: ["トレースでの名前", "トレースでのこのサービスの名前。"],
  OTEL_RESOURCE_ATTRIBUTES: [
    "サービスの属性",
    "name=valueをコンマ区切りで指定します。deployment.environment.name=stagingなど。すべてのトレースに含まれます。",
  ],
  OTEL_TRACES_SAMPLER: [
    "記録するトレース",
    "parentbased: traceparentの指定に従います。名前の残りの部分は、traceparentがない場合にのみ適用されます。",
  ],
  OTEL_TRACES_SAMPLER_ARG: [
    "トレースの割合",
    "0.1のような0～1の値。traceidratioの付くサンプラーが記録するトレースの割合。",
  ],
  OTEL_SDK_DISABLED: ["トレースを無効化", "他の設定に関係なく、トレースをオフにします。"],
  TRACEPARENT_TO_PROVIDERS: [
    "プロバイダーにトレースを伝える",
    "モデルの呼び出しにヘッダーtraceparentを付けます。自分で運用するプロバイダーがトレースに追記できるようになります。",
  ],
  ENABLE_TITLE_GENERATION: ["タイトルを生成", "新しいチャットごとに、モデルがバックグラウンドでタイトルを付けます。"],
  ENABLE_TAGS_GENERATION: [
    "タグを生成",
    "新しいチャットごとに、モデルがバックグラウンドでタグを選びます。呼び出しが1回増えます。",
  ],
  TASK_MODEL: ["タイトル、タグ、要約用のモデル", "モデルID。空欄の場合は、チャットのモデルを使用します。"],
  ENABLE_CONTEXT_COMPACTION: [
    "長い会話を要約",
    "Webページの会話がモデルのコンテキストの上限に近づくと、モデルが始めの部分を要約します。メッセージはすべて残ります。API呼び出しは変更されません。",
  ],
  CONTEXT_COMPACTION_SHARE: [
    "要約を始める割合（コンテキストの%）",
    "会話を要約する前に、モデルのコンテキストをどこまで使うか。",
  ],
  DEFAULT_PROMPT_SUGGESTIONS: [
    "質問の例",
    "新しいチャットに表示する質問。セミコロン区切り。モデルに独自の例がない場合に使われます。",
  ],
  MAX_CHAT_MESSAGES: [
    "チャットのメッセージ数",
    "1つのチャットに含められるメッセージの最大数。これを超える保存やインポートは拒否されます。",
  ],
  ENABLE_PREVIEWS: [
    "回答のプレビュー",
    "回答内のページ、表、図を、ネットワークもストレージも使えないフレームで、チャットの横に開けます。",
  ],
  ENABLE_CODE_EXECUTION: [
    "回答のコードを実行",
    "回答内のPythonとJavaScriptを実行できます。Pythonは、ネットワークのない隔離されたプロセスで実行されます。",
  ],
  ENABLE_CODE_INTERPRETER: [
    "モデルによるコードの実行",
    "回答のためのPythonの実行を、ユーザーがモデルに許可できます。同じ隔離されたプロセスで実行されます。",
  ],
  CODE_EXECUTION_TIMEOUT: ["コードの最長実行時間（秒）", "これより長くかかる実行は停止されます。"],
  ENABLE_MEMORIES: [
    "メモリ",
    "自分についてモデルに覚えておいてほしいこと。オフの場合、メモリは保持されますが、閲覧も変更もできず、モデルにも渡されません。",
  ],
  MAX_MEMORIES: ["ユーザーのメモリ数", "1人のユーザーが持てるメモリの数。"],
  ENABLE_MESSAGE_RATING: [
    "回答の評価",
    "回答を評価し、その理由を伝えられます。オフの場合も以前の評価は残り、自分の評価を削除できます。",
  ],
} satisfies SettingWords;
