import type { SettingWords } from "../setting-words.ts";

export default {
  LOG_LEVEL: ["Protokollstufe", "Zeilen, die weniger wichtig sind, werden nicht geschrieben."],
  LOG_FORMAT: [
    "Form des Protokolls",
    "Zeilen für Menschen, oder ein JSON-Objekt pro Zeile. Auf der Edge ist es immer JSON.",
  ],
  ACCESS_LOG: [
    "Protokoll der Anfragen",
    "Eine Zeile für jede beantwortete Anfrage: Methode, Route, Status, Dauer, Bytes, ID der Anfrage, Adresse des Aufrufers und ID der Person.",
  ],
  MAX_JSON_VALUES: ["Werte in einem Body", "Wie viele Werte der JSON-Body einer gewöhnlichen Anfrage haben darf."],
  MAX_LARGE_JSON_VALUES: [
    "Werte in einem großen Body",
    "Dasselbe für Anfragen mit ganzen Unterhaltungen: Chats, Completions und Aufrufe lokaler Laufzeitumgebungen.",
  ],
  MAX_BODY_MEMORY: [
    "Speicher für Bodys",
    "Wie viele Megabyte an JSON-Bodys gleichzeitig in Bearbeitung sein dürfen. Weitere Anfragen warten.",
  ],
  CLIENT_ADDRESS_HEADER: [
    "Header mit der Adresse des Aufrufers",
    "Für Grenzen nach Adresse. Wer die Verbindungen annimmt, setzt ihn: auf einem einzelnen Rechner der Launcher, auf der Edge Cloudflare.",
  ],
  PUBLIC_ORIGIN_HEADER: [
    "Header mit der öffentlichen Adresse",
    "Schema und Host, wie Personen sie sehen. Wer die Verbindungen annimmt, setzt ihn: auf einem einzelnen Rechner der Launcher, wenn ein Proxy aus TRUSTED_PROXIES sie mitteilt. WEBUI_URL hat Vorrang.",
  ],
  BASE_PATH: [
    "Basispfad",
    "Alles von Parley liegt unter diesem Pfad, etwa /parley: Seiten, API, Sockets, Links und Cookies. Der Proxy gibt den ganzen Pfad weiter.",
  ],
  ENV: ["Modus", "dev stellt die API-Dokumentation unter /docs und /openapi.json bereit."],
  PROCESS_CONFINEMENT: [
    "Abschottung von Prozessen",
    "Was das System den Prozessen für Plugins, Dokumente und Passwörter entzieht. Auf einem einzelnen Rechner setzt der Launcher den Wert. walls: Rechte, die Dateien des Dienstes und, wo nichts aufgerufen wird, das Netzwerk. privileges: nur die Rechte. Leer: Die Plattform entscheidet.",
  ],
  WEBUI_NAME: ["Name", "Wird auf der Anmeldeseite und in den Titeln von Tabs angezeigt."],
  WEBUI_URL: [
    "Öffentliche Adresse",
    "Die Adresse, unter der Personen den Dienst erreichen. Beginnt sie mit https, wird das Sitzungs-Cookie nur über https gesendet.",
  ],
  OUTBOUND_ALLOWED_PRIVATE_HOSTS: [
    "Erlaubte private Adressen",
    "Host oder Host:Port, durch Kommas getrennt. Personen und Plugins dürfen sie aufrufen, obwohl sie privat sind.",
  ],
  OUTSIDE_PICTURES: [
    "Bilder anderer Websites",
    "Bilder in Texten, die auf anderen Websites liegen. Der Dienst ruft sie ab, daher erfahren diese Websites nicht, wer liest. ask: Vor einem Klick wird nichts abgerufen. show: Wer ein Modell dazu bringt, ein solches Bild zu schreiben, erfährt, was in dessen Adresse steht. link: Es wird nichts abgerufen.",
  ],
  ENABLE_SIGNUP: [
    "Registrierung erlauben",
    "Wenn ausgeschaltet, können nur Administratoren und der Identitätsanbieter Konten erstellen.",
  ],
  DEFAULT_USER_ROLE: ["Rolle neuer Personen", "Wartende Personen muss erst ein Administrator freischalten."],
  MAX_WAITING_ACCOUNTS: [
    "Wartende Konten",
    "Wenn so viele Personen auf die Freischaltung warten, kann sich niemand mehr registrieren. Ein einzelnes Netzwerk erhält ein Viertel der Plätze. Sie warten höchstens 7 Tage.",
  ],
  MAX_NETWORK_SIGNUPS: [
    "Registrierungen aus einem Netzwerk",
    "So viele Personen können sich aus einem Netzwerk (IPv4 /24, IPv6 /64) auf einmal registrieren und ebenso viele in jeder Stunde danach. 0: keine Grenze.",
  ],
  ENABLE_USER_STATUS: [
    "Status von Personen",
    "Personen können sagen, was sie gerade tun, mit einem Emoji. Ihre Organisation sieht es.",
  ],
  SECOND_FACTOR: [
    "Wer einen zweiten Faktor braucht",
    "Gilt für Personen, die sich mit einem Passwort anmelden. Sie richten ihn vor allem anderen ein. Administratoren sind die des Dienstes und die von Organisationen. Eine Organisation kann ihn allen ihren Personen vorschreiben. Single Sign-on und API-Schlüssel sind ausgenommen.",
  ],
  ENABLE_PASSKEYS: [
    "Passkeys",
    "Personen mit einem Passwort können Passkeys hinzufügen, um sich ohne Passwort anzumelden und als zweiten Faktor. Wenn ausgeschaltet, ist mit vorhandenen Passkeys keine Anmeldung möglich, und sie zählen nicht als zweiter Faktor.",
  ],
  PASSWORD_COST: [
    "Aufwand für Passwort-Hashes",
    "Wie viel Arbeit es macht, ein Passwort zu prüfen oder aus einer gestohlenen Datenbank zu erraten: N von scrypt als Zweierpotenz. 14 braucht 16 MB und etwa 0,2 s; 15 und 16 brauchen 32 und 64 MB und etwa 0,35 s. Unter 14 nur für Tests. Passwörter wechseln bei der nächsten Anmeldung zum neuen Wert.",
  ],
  JWT_EXPIRES_IN: ["Dauer von Sitzungen", "Eine Zahl mit Einheit, etwa 12h oder 4w. -1: Sitzungen laufen nie ab."],
  SHOW_ADMIN_DETAILS: [
    "Kontakt eines Administrators anzeigen",
    "Wer auf die Freischaltung wartet, sieht Namen und Adresse eines Administrators.",
  ],
  ADMIN_EMAIL: [
    "Kontaktadresse",
    "Wird Personen angezeigt, die auf die Freischaltung warten. Wenn leer, die Adresse des ersten Administrators.",
  ],
  PENDING_USER_OVERLAY_TITLE: ["Warteseite: Titel", "Wenn leer, der eingebaute Titel."],
  PENDING_USER_OVERLAY_CONTENT: ["Warteseite: Text", "Wenn leer, der eingebaute Text."],
  MAX_PERSON_STORAGE: [
    "Speicher einer Person (MB)",
    "Wie viel Platz alle Dateien einer Person einnehmen dürfen. 0: keine Grenze.",
  ],
  MAX_ORGANIZATION_STORAGE: [
    "Speicher einer Organisation (MB)",
    "Wie viel Platz die Dateien aller Personen einer Organisation zusammen einnehmen dürfen. 0: keine Grenze. Eine Organisation kann eine eigene Grenze haben.",
  ],
  MAX_SERVICE_STORAGE: [
    "Speicher des Dienstes (MB)",
    "Wie viel Platz alle Dateien zusammen einnehmen dürfen. 0: keine Grenze. Wählen Sie weniger als die Größe der Festplatte.",
  ],
  MAX_FILES: ["Dateien einer Person", "Wie viele Dateien eine Person haben darf. 0: keine Grenze."],
  MAX_CHATS: [
    "Chats einer Person",
    "Wie viele Chats eine Person haben darf, archivierte eingeschlossen. 0: keine Grenze.",
  ],
  MAX_WAITING_JOBS: [
    "Wartende Aufgaben einer Person",
    "Wie viele Dateien einer Person darauf warten dürfen, gelesen zu werden, und wie viele Antworten von Modellen in Kanälen gleichzeitig entstehen dürfen. 0: keine Grenze.",
  ],
  RATE_LIMITS: [
    "Anfragen pro Minute",
    "Grenzen wie person.models=600, durch Semikolons getrennt. Wer: person, key (der API), organization oder address (ein Netzwerk ohne Anmeldung). Was: models, uploads, searches, reads, writes oder all. Ohne Eintrag gibt es keine Grenze.",
  ],
  RETENTION_CHATS: [
    "Chats (Tage)",
    "Tage nach der letzten Änderung, auch für angeheftete und archivierte Chats. 0: unbegrenzt aufbewahren. Eine Organisation kann eine eigene Frist haben.",
  ],
  RETENTION_FILES: [
    "Dateien (Tage)",
    "Tage nach dem Hochladen oder der letzten Änderung. Dateien in einer Wissensdatenbank, einem Kanal, einem Modell oder einem Chat bleiben erhalten, solange sie dort sind. 0: unbegrenzt aufbewahren. Eine Organisation kann eine eigene Frist haben.",
  ],
  RETENTION_CHANNEL_MESSAGES: [
    "Kanalnachrichten (Tage)",
    "Tage nach dem Schreiben. 0: unbegrenzt aufbewahren. Eine Organisation kann eine eigene Frist haben.",
  ],
  RETENTION_LOGS: [
    "Protokolle (Tage)",
    "Modellaufrufe, das Audit-Protokoll, Webhook-Zustellungen und gespeicherte API-Antworten. Manche haben ohnehin eine kürzere Frist. 0: unbegrenzt aufbewahren. Eine Organisation kann eine eigene Frist haben.",
  ],
  MIN_FREE_DISK: [
    "Freier Speicherplatz (MB)",
    "Ist auf der Festplatte mit dem Datenordner weniger frei, werden Uploads mit 507 abgelehnt und Administratoren gewarnt. 0: nie. Nur auf einem einzelnen Rechner.",
  ],
  ENABLE_API_KEYS: [
    "API-Schlüssel einschalten",
    "Personen können Schlüssel für Skripte erstellen. Alle außer Administratoren brauchen auch die Berechtigung „API-Schlüssel verwenden“. Wenn ausgeschaltet, funktioniert kein Schlüssel.",
  ],
  ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: [
    "Endpunkte für API-Schlüssel einschränken",
    "Schlüssel können nur die unten aufgeführten Endpunkte aufrufen. Wenn die Liste leer ist, gar keine.",
  ],
  API_KEYS_ALLOWED_ENDPOINTS: [
    "Erlaubte Endpunkte",
    "Durch Kommas getrennt, zum Beispiel: GET /api/models, /api/chat/completions, /api/v1/users/:id/info, /api/v1/chats/*. Ohne Methode sind alle Methoden erlaubt. /* schließt alles darunter ein.",
  ],
  CUSTOM_API_KEY_HEADER: [
    "Header für API-Schlüssel",
    "Der Header für den Schlüssel, wenn ein Proxy Authorization selbst verwendet.",
  ],
  USER_PERMISSIONS_FEATURES_API_KEYS: [
    "API-Schlüssel für alle",
    "Hat Vorrang vor dieser Standardberechtigung. Wenn nicht gesetzt, gelten die Standardberechtigungen auf der Seite Gruppen.",
  ],
  OPENID_PROVIDER_URL: [
    "Identitätsanbieter",
    "Der Aussteller oder die Adresse des Discovery-Dokuments (https; http nur für Loopback).",
  ],
  OAUTH_CLIENT_ID: ["Client-ID", "Die ID dieses Dienstes beim Anbieter."],
  OAUTH_CLIENT_SECRET: ["Client-Secret", "Bleibt für einen öffentlichen Client leer."],
  OAUTH_PROVIDER_NAME: ["Name des Anbieters", "Wird auf der Schaltfläche der Anmeldeseite angezeigt."],
  OAUTH_SCOPES: ["Scopes", "Angeforderte Scopes, durch Leerzeichen getrennt; openid muss dabei sein."],
  OPENID_REDIRECT_URI: [
    "Callback-Adresse",
    "Wie beim Anbieter registriert. Wenn leer: <öffentliche Adresse>/oauth/oidc/login/callback.",
  ],
  GOOGLE_CLIENT_ID: ["Google: Client-ID", "Fügt Google als Anbieter hinzu."],
  GOOGLE_CLIENT_SECRET: ["Google: Client-Secret", "Das von Google ausgestellte Secret."],
  GOOGLE_REDIRECT_URI: ["Google: Callback-Adresse", "Wenn leer: <öffentliche Adresse>/oauth/google/login/callback."],
  MICROSOFT_CLIENT_ID: ["Microsoft: Client-ID", "Fügt Microsoft Entra ID als Anbieter hinzu."],
  MICROSOFT_CLIENT_SECRET: ["Microsoft: Client-Secret", "Das von Entra ID ausgestellte Secret."],
  MICROSOFT_CLIENT_TENANT_ID: ["Microsoft: Mandant", "Die ID oder Domain Ihres Mandanten."],
  MICROSOFT_REDIRECT_URI: [
    "Microsoft: Callback-Adresse",
    "Wenn leer: <öffentliche Adresse>/oauth/microsoft/login/callback.",
  ],
  ENABLE_OAUTH_SIGNUP: [
    "Registrierung über Single Sign-on",
    "Personen erhalten ein Konto, wenn sie sich zum ersten Mal über den Anbieter anmelden.",
  ],
  OAUTH_MERGE_ACCOUNTS_BY_EMAIL: [
    "Nach E-Mail zusammenführen",
    "Wer sich mit der bestätigten Adresse eines vorhandenen Kontos anmeldet, erhält dieses Konto. Dessen Sitzungen enden, und sein Passwort und seine API-Schlüssel werden gelöscht (Administratoren behalten ihre).",
  ],
  OAUTH_ALLOWED_DOMAINS: [
    "E-Mail-Domains",
    "Domains, die sich anmelden dürfen, durch Kommas getrennt. * erlaubt alle.",
  ],
  OAUTH_SUB_CLAIM: [
    "Claim: Identität",
    "Die dauerhafte ID einer Person beim Anbieter. Mit SCIM muss sie mit externalId übereinstimmen.",
  ],
  OAUTH_USERNAME_CLAIM: ["Claim: Name", "Der Claim mit dem Namen der Person."],
  OAUTH_EMAIL_CLAIM: ["Claim: E-Mail", "Der Claim mit der E-Mail-Adresse."],
  OAUTH_PICTURE_CLAIM: ["Claim: Bild", "Der Claim mit der URL des Bildes. Wenn leer, wird kein Bild verwendet."],
  OAUTH_UPDATE_NAME_ON_LOGIN: [
    "Name bei der Anmeldung aktualisieren",
    "Der Name vom Anbieter ersetzt den gespeicherten.",
  ],
  OAUTH_UPDATE_EMAIL_ON_LOGIN: [
    "E-Mail-Adresse bei der Anmeldung aktualisieren",
    "Die bestätigte Adresse vom Anbieter ersetzt die gespeicherte, außer wenn ein anderes Konto sie hat.",
  ],
  OAUTH_UPDATE_PICTURE_ON_LOGIN: [
    "Bild bei der Anmeldung aktualisieren",
    "Das Bild vom Anbieter ersetzt das gespeicherte.",
  ],
  ENABLE_OAUTH_ROLE_MANAGEMENT: [
    "Rollen kommen vom Anbieter",
    "Der Claim mit den Rollen entscheidet bei jeder Anmeldung. Wer keine der Rollen unten hat, kann sich nicht anmelden.",
  ],
  OAUTH_ROLES_CLAIM: ["Claim: Rollen", "Verwenden Sie Punkte für verschachtelte Claims."],
  OAUTH_ALLOWED_ROLES: ["Rollen, die sich anmelden dürfen", "Die Namen beim Anbieter, durch Kommas getrennt."],
  OAUTH_ADMIN_ROLES: ["Rollen für Administratoren", "Die Namen beim Anbieter, durch Kommas getrennt."],
  ENABLE_OAUTH_GROUP_MANAGEMENT: [
    "Gruppen kommen vom Anbieter",
    "Bei jeder Anmeldung werden Personen zu Gruppen hinzugefügt und aus Gruppen entfernt, wie der Claim mit den Gruppen es angibt.",
  ],
  OAUTH_GROUPS_CLAIM: ["Claim: Gruppen", "Verwenden Sie Punkte für verschachtelte Claims."],
  ENABLE_OAUTH_GROUP_CREATION: [
    "Fehlende Gruppen erstellen",
    "Erstellt Gruppen, die im Claim stehen, aber noch nicht existieren.",
  ],
  OAUTH_BLOCKED_GROUPS: ["Ignorierte Gruppen", "Namen, durch Kommas getrennt. * steht für beliebige Zeichen."],
  OAUTH_CODE_CHALLENGE_METHOD: ["PKCE-Methode", "Wie die Code Challenge abgeleitet wird. Sie wird immer gesendet."],
  OAUTH_TOKEN_ENDPOINT_AUTH_METHOD: [
    "Wie das Client-Secret gesendet wird",
    "Auto verwendet eine Methode, die der Anbieter unterstützt.",
  ],
  OAUTH_TIMEOUT: ["Timeout des Anbieters (Sekunden)", "Für jede Anfrage an den Anbieter."],
  OAUTH_AUTO_REDIRECT: ["Sofort zum Anbieter weiterleiten", "Nur wenn es genau einen Anbieter gibt."],
  ENABLE_OAUTH_BACKCHANNEL_LOGOUT: [
    "Back-Channel-Logout",
    "Der Anbieter kann Sitzungen über /oauth/backchannel-logout beenden.",
  ],
  OPENID_END_SESSION_ENDPOINT: [
    "Abmeldeadresse des Anbieters",
    "Wo die Abmeldung weitergeht. Wenn leer, gilt die Adresse im Discovery-Dokument.",
  ],
  WEBUI_AUTH_SIGNOUT_REDIRECT_URL: [
    "Nach der Abmeldung",
    "Wohin Personen nach der Abmeldung geleitet werden. Wenn der Anbieter sie ebenfalls abmeldet, registrieren Sie diese Adresse dort.",
  ],
  ENABLE_LOGIN_FORM: [
    "Passwortformular anzeigen",
    "Zeigt E-Mail und Passwort auf der Anmeldeseite. Wenn ausgeschaltet, sind dort nur die Schaltflächen der Anbieter.",
  ],
  ENABLE_PASSWORD_AUTH: ["Passwörter", "Erlaubt es, sich mit einem Passwort anzumelden und zu registrieren."],
  SCIM_ENABLED: [
    "Provisionierung (SCIM)",
    "Ein Identitätsanbieter kann Konten und Gruppen erstellen, ändern und deaktivieren.",
  ],
  SCIM_TOKEN: [
    "Token des Identitätsanbieters",
    "Ein langer zufälliger Text, den der Identitätsanbieter als Bearer-Token sendet.",
  ],
  SCIM_TOKEN_PREVIOUS: [
    "Bisheriges Token",
    "Wird ebenfalls angenommen, bis der Identitätsanbieter das neue Token hat.",
  ],
  SCIM_AUTH_PROVIDER: [
    "Anbieter für die Anmeldung provisionierter Personen",
    "Die ID des Anbieters für die Anmeldung, zu dem externalId gehört, etwa oidc oder microsoft.",
  ],
  SCIM_IP_ALLOWLIST: [
    "Angenommene Adressen",
    "Adressen oder Bereiche, die provisionieren dürfen, durch Kommas getrennt. Wenn leer, dürfen es alle Adressen.",
  ],
  SCIM_IP_HEADER: [
    "Header mit der Adresse des Aufrufers",
    "Der Header, in dem der Proxy die Adresse des Aufrufers sendet: CF-Connecting-IP bei Cloudflare, sonst oft X-Real-IP oder X-Forwarded-For.",
  ],
  DEFAULT_MODEL_VISIBILITY: [
    "Zugriff auf Modelle ohne Freigaben",
    "Wer Modelle sehen kann, die für niemanden eigens freigegeben sind.",
  ],
  DEFAULT_MODELS: [
    "Standardmodell",
    "Modell-IDs, durch Kommas getrennt. Neue Chats verwenden das erste Modell, das die Person sehen kann.",
  ],
  DEFAULT_PINNED_MODELS: [
    "Angeheftete Modelle",
    "Modell-IDs, durch Kommas getrennt. Bei Personen, die keine Modelle angeheftet haben, stehen sie in der Liste vorn.",
  ],
  CONNECTION_OPTIONS: [
    "Optionen für Verbindungen aus der Umgebung",
    'Ein JSON-Objekt wie {"env-openai-0": {"quirks": {"rename": {"max_tokens": "max_completion_tokens"}}, "policy": {"max_concurrent": 8}}}, mit den IDs der Verbindungen als Schlüsseln.',
  ],
  UPSTREAM_TIMEOUT: [
    "Timeout des Anbieters (Sekunden)",
    "Wie lange ein Anbieter keine Daten senden darf, vor dem Beginn der Antwort und während der Antwort.",
  ],
  OPENAI_API_BASE_URLS: ["OpenAI-kompatible Verbindungen", "Basisadressen, durch Semikolons getrennt."],
  OPENAI_API_KEYS: [
    "Schlüssel der OpenAI-kompatiblen Verbindungen",
    "In derselben Reihenfolge wie die Adressen, durch Semikolons getrennt.",
  ],
  ANTHROPIC_API_BASE_URLS: ["Verbindungen mit einer Messages API", "Basisadressen, durch Semikolons getrennt."],
  ANTHROPIC_API_KEYS: [
    "Schlüssel der Verbindungen mit einer Messages API",
    "In derselben Reihenfolge wie die Adressen, durch Semikolons getrennt.",
  ],
  LOCALMODEL_BASE_URLS: ["Lokale Laufzeitumgebungen", "Basisadressen, durch Semikolons getrennt."],
  ENABLE_DIRECT_CONNECTIONS: [
    "Eigene Verbindungen",
    "Personen mit der Berechtigung features.direct_connections verbinden eigene Anbieter, mit eigenen Schlüsseln und nur für sich selbst.",
  ],
  ENABLE_PLUGINS: [
    "Plugins ausführen",
    "Wenn ausgeschaltet, laufen keine Funktionen und keine Tools von Plugins. Gespeicherte Plugins bleiben erhalten.",
  ],
  SAFE_MODE: [
    "Abgesicherter Modus",
    "Alle Funktionen gelten als ausgeschaltet, auch wenn sie selbst eingeschaltet sind.",
  ],
  RUNNERS: [
    "Native Runner",
    "Adressen wie http://runner:8710, durch Kommas getrennt. Administratoren können Python-Plugins dort laufen lassen, außerhalb der Sandbox.",
  ],
  RUNNER_TOKEN: ["Token für native Runner", "Dasselbe wie RUNNER_TOKEN der Runner."],
  PLUGIN_TIMEOUT: [
    "Timeout eines Plugin-Aufrufs (Sekunden)",
    "Die Zeit, in der auf Antworten von Personen gewartet wird, zählt nicht.",
  ],
  PLUGIN_TASK_TIMEOUT: [
    "Aufgaben nach einer Antwort (Sekunden)",
    "Wie lange Tasks und Threads, die ein Python-Plugin weiterlaufen lässt, nach der Antwort seiner Funktion noch laufen dürfen. Sie zählen zum Timeout des Aufrufs. 0: Sie enden mit der Antwort.",
  ],
  PLUGIN_PACKAGE_REGISTRIES: [
    "Registries für Python-Pakete",
    "Adressen von Registries, aus denen Pakete für Plugins heruntergeladen werden dürfen, etwa https://pypi.org/simple/. Die erste, die einen Namen kennt, entscheidet. Wenn leer, wird nichts heruntergeladen, und Wheels werden hochgeladen.",
  ],
  PLUGIN_INTERPRETER_PACKAGES: [
    "Pakete für den Interpreter",
    "Adresse des Ordners, aus dem Pakete wie numpy, pandas, pillow und lxml heruntergeladen werden dürfen: https://cdn.jsdelivr.net/pyodide/v314.0.7/full/ oder eine Kopie davon. Nur Dateien mit dem SHA-256 aus der Lock-Datei des Interpreters werden angenommen. Wenn leer, werden die Pakete hochgeladen.",
  ],
  PLUGIN_DATABASE_MAX_SIZE: [
    "Datenbanken eines Plugins (MB)",
    "Wie viel Platz die SQLite-Dateien eines Plugins gepackt zusammen einnehmen dürfen. Tools von Personen, die keine Administratoren sind, haben so viel für jede Person, die sie verwendet. 0: Plugins behalten keine Datenbanken.",
  ],
  OUTLET_FILTER_MODE: [
    "Outlet-Filter für API-Aufrufe",
    "stable: Nur /api/chat/completed führt sie aus. prerelease: Sie laufen auch am Ende eines API-Aufrufs, der in einem Chat gespeichert wird; die Antwort über HTTP ändert sich nie.",
  ],
  WEBSOCKET_EVENT_CALLER_TIMEOUT: [
    "Timeout für Fragen an Personen (Sekunden)",
    "Wie lange ein Plugin auf die Antwort einer Person wartet.",
  ],
  ENABLE_EXTERNAL_EXECUTE: [
    "Externe Tools dürfen Code im Browser ausführen",
    "Ob der Endpunkt für Ereignisse Ereignisse der Art execute annimmt. Der Code läuft in einem Rahmen ohne Zugriff auf die Sitzung.",
  ],
  ENABLE_FORWARD_USER_INFO_HEADERS: [
    "Angaben zur Person an Tool-Server senden",
    "Fügt Aufrufen externer Tools die ID des Chats, die ID der Nachricht und Angaben zur Person hinzu.",
  ],
  FORWARD_USER_INFO_HEADER_JWT_SECRET: [
    "Secret für signierte Angaben zur Person",
    "Wenn gesetzt, werden Angaben zur Person als signiertes Token (HS256) statt in einfachen Headern gesendet.",
  ],
  TOOL_CALL_TURNS: [
    "Runden mit Tool-Aufrufen pro Antwort",
    "Nach so vielen Runden muss das Modell ohne Tools antworten.",
  ],
  TOOL_RESULT_LIMIT: [
    "Maximale Länge eines Tool-Ergebnisses (Zeichen)",
    "Längere Ergebnisse werden für das Modell gekürzt, mit einem Hinweis, und vollständig als Datei gespeichert.",
  ],
  RAG_FILE_MAX_SIZE: ["Größte Datei (MB)", "Größere Dateien werden beim Hochladen abgelehnt."],
  RAG_FILE_MAX_COUNT: ["Dateien pro Nachricht", "Wie viele Dateien an eine Nachricht angehängt werden können."],
  RAG_ALLOWED_FILE_EXTENSIONS: [
    "Erlaubte Dateitypen",
    "Dateiendungen, die hochgeladen werden können, etwa pdf oder docx. Wenn leer, sind alle erlaubt.",
  ],
  FILE_PROCESSING_TIMEOUT: [
    "Timeout der Verarbeitung (Sekunden)",
    "Eine Datei, die bis dahin nicht durchsuchbar ist, gilt als fehlgeschlagen.",
  ],
  CONTENT_EXTRACTION_ENGINE: [
    "Was Dokumente liest",
    "external: Der Dienst unten liest alle Dateien. Sonst liest er nur, was Parley nicht lesen kann.",
  ],
  EXTERNAL_DOCUMENT_LOADER_URL: [
    "Adresse eines externen Dienstes",
    "Erhält die Datei als PUT {address}/process und gibt page_content zurück. Wenn leer, wird kein externer Dienst verwendet.",
  ],
  EXTERNAL_DOCUMENT_LOADER_API_KEY: ["Schlüssel des externen Dienstes", "Wird als Bearer-Token gesendet."],
  RAG_VISION_MODEL: [
    "Modell, das Bilder liest",
    "Die ID eines Modells, das Bilder versteht. Es liest Bilder und gescannte Seiten. Ohne ein solches Modell haben sie keinen Text.",
  ],
  ENABLE_KNOWLEDGE_FILE_RETENTION: [
    "Entfernte Dateien behalten",
    "Wenn ausgeschaltet, wird eine eigene Datei, die man aus einer Wissensdatenbank entfernt, auch gelöscht, sofern sie nirgendwo sonst verwendet wird. Das gilt auch, wenn man eine Wissensdatenbank löscht. Eine Anfrage kann davon abweichen.",
  ],
  RAG_EMBEDDING_MODEL: [
    "Embedding-Modell",
    "Die ID eines Modells, das Passagen in Vektoren umwandelt. Wenn leer, findet die Suche nur Wörter.",
  ],
  CHUNK_SIZE: ["Länge einer Passage (Zeichen)", "Gilt für Dateien, die ab jetzt verarbeitet werden."],
  CHUNK_OVERLAP: [
    "Überlappung von Passagen (Zeichen)",
    "Wie viel der vorigen Passage wiederholt wird, höchstens die Hälfte der Länge.",
  ],
  RAG_EMBEDDING_BATCH_SIZE: [
    "Passagen pro Aufruf",
    "Wie viele Passagen auf einmal an das Embedding-Modell gesendet werden.",
  ],
  RAG_EMBEDDING_CONTENT_PREFIX: [
    "Präfix für Passagen",
    "Das Präfix, das das Embedding-Modell vor dem Text eines Dokuments erwartet, etwa „passage: “.",
  ],
  RAG_EMBEDDING_QUERY_PREFIX: [
    "Präfix für Suchanfragen",
    "Das Präfix, das das Embedding-Modell vor einer Frage erwartet, etwa „query: “.",
  ],
  RAG_TOP_K: ["Passagen pro Antwort", "Wie viele der besten Passagen das Modell erhält."],
  RAG_RELEVANCE_THRESHOLD: [
    "Mindestähnlichkeit",
    "0 bis 1. Passagen, die nur über ihre Bedeutung gefunden werden, entfallen, wenn sie darunter liegen.",
  ],
  RAG_HYBRID_BM25_WEIGHT: [
    "Gewicht der Wortsuche",
    "1: nur Wörter. 0: nur Bedeutung, wenn es ein Embedding-Modell gibt.",
  ],
  RAG_RERANKING_URL: [
    "Adresse des Rerankers",
    "Erhält {model, query, documents, top_n} und gibt Ergebnisse mit index und relevance_score zurück. Wenn leer, wird kein Reranker verwendet.",
  ],
  RAG_RERANKING_MODEL: ["Modell des Rerankers", "Wird dem Reranker als Modell gesendet."],
  RAG_RERANKING_API_KEY: ["Schlüssel des Rerankers", "Wird als Bearer-Token gesendet."],
  RAG_CONTEXT_TOKENS: [
    "Grenze für Passagen (Tokens)",
    "Die geschätzte Grenze für alle Passagen einer Antwort zusammen.",
  ],
  RAG_TEMPLATE: [
    "Prompt für Passagen",
    "Verwenden Sie {{CONTEXT}} und {{QUERY}}. Wenn leer, wird der Prompt von Parley verwendet.",
  ],
  ENABLE_RETRIEVAL_QUERY_GENERATION: [
    "Suchanfragen von einem Modell",
    "Das Modell für Titel, Tags und Zusammenfassungen macht aus der Unterhaltung zuerst Suchanfragen. Besser für lange Unterhaltungen, aber langsamer.",
  ],
  ENABLE_WEB_SEARCH: ["Websuche", "Personen mit der Berechtigung können für eine Antwort im Web suchen lassen."],
  WEB_SEARCH_ENGINE: ["Anbieter", "Wer im Web sucht. Er erhält die Suchanfragen und sonst nichts aus einem Chat."],
  SEARXNG_QUERY_URL: [
    "SearXNG: Adresse",
    "Etwa http://localhost:8888/search. Die Einstellungen von SearXNG müssen das Format json erlauben.",
  ],
  BRAVE_SEARCH_API_KEY: ["Brave: Schlüssel", "Wird verschlüsselt gespeichert und nie wieder angezeigt."],
  TAVILY_API_KEY: ["Tavily: Schlüssel", "Wird verschlüsselt gespeichert und nie wieder angezeigt."],
  GOOGLE_PSE_API_KEY: ["Google: Schlüssel", "Wird verschlüsselt gespeichert und nie wieder angezeigt."],
  GOOGLE_PSE_ENGINE_ID: ["Google: ID der Suchmaschine", "Die ID (cx) einer Programmable Search Engine."],
  EXTERNAL_WEB_SEARCH_URL: [
    "Eigener Anbieter: Adresse",
    "Antwortet mit JSON. {query} und {count} in der Adresse werden ersetzt, und sie wird mit GET aufgerufen. Ohne {query} erhält sie query und count als JSON mit POST.",
  ],
  EXTERNAL_WEB_SEARCH_HEADER: [
    "Eigener Anbieter: Header",
    "Name: Wert. {key} steht für den Schlüssel. Ohne Schlüssel wird er nicht gesendet.",
  ],
  EXTERNAL_WEB_SEARCH_API_KEY: [
    "Eigener Anbieter: Schlüssel",
    "Wird verschlüsselt gespeichert und nie wieder angezeigt.",
  ],
  EXTERNAL_WEB_SEARCH_RESULTS: [
    "Eigener Anbieter: Liste der Ergebnisse",
    "Wo die Liste in der Antwort steht, etwa data.items. Leer: Die Antwort ist die Liste.",
  ],
  EXTERNAL_WEB_SEARCH_ADDRESS: [
    "Eigener Anbieter: Adresse eines Ergebnisses",
    "Wo sie in einem Ergebnis steht, etwa url oder page.href.",
  ],
  EXTERNAL_WEB_SEARCH_TITLE: ["Eigener Anbieter: Titel eines Ergebnisses", "Wo er in einem Ergebnis steht."],
  EXTERNAL_WEB_SEARCH_SNIPPET: [
    "Eigener Anbieter: Text eines Ergebnisses",
    "Wo der kurze Text in einem Ergebnis steht.",
  ],
  WEB_SEARCH_MCP_SERVER: [
    "MCP: Server",
    "Die ID eines Tool-Servers. Nur Personen, die den Server verwenden dürfen, können suchen.",
  ],
  WEB_SEARCH_MCP_TOOL: ["MCP: Tool", "Der Name des Tools, das sucht. Es erhält die Suchanfrage als query."],
  WEB_SEARCH_RESULT_COUNT: ["Ergebnisse", "Wie viele Ergebnisse für jede Antwort angefordert und gelesen werden."],
  WEB_SEARCH_DOMAIN_FILTER_LIST: [
    "Domains",
    "Eine Domain wie example.org erlaubt nur sie und was darunter liegt. Mit einem ! davor wird sie gesperrt. Wenn leer, sind alle erlaubt.",
  ],
  ENABLE_SEARCH_QUERY_GENERATION: [
    "Suchanfragen von einem Modell",
    "Das Modell für Titel, Tags und Zusammenfassungen macht aus der Unterhaltung zuerst Suchanfragen. Sonst werden die Wörter der Frage gesendet.",
  ],
  BYPASS_WEB_SEARCH_WEB_LOADER: [
    "Nur kurze Texte",
    "Die Seiten werden nicht geöffnet. Das Modell erhält die kurzen Texte der Ergebnisse.",
  ],
  WEB_SEARCH_CONTEXT_TOKENS: [
    "Grenze für Passagen (Tokens)",
    "Die geschätzte Grenze für alle Passagen aus Seiten in einer Antwort.",
  ],
  WEB_LOADER_TIMEOUT: ["Zeit für eine Seite (Sekunden)", "Eine Seite, die bis dahin nicht da ist, entfällt."],
  ENABLE_IMAGE_GENERATION: ["Bilder von Modellen", "Personen mit der Berechtigung können Bilder erstellen lassen."],
  IMAGE_GENERATION_CONNECTION: ["Verbindung für Bilder", "Eine Verbindung, die /images/generations von OpenAI hat."],
  IMAGE_GENERATION_MODEL: ["Modell für Bilder", "Wie es beim Anbieter heißt, etwa gpt-image-1."],
  IMAGE_SIZE: ["Größe", "Breite und Höhe in Pixeln, etwa 1024x1024, oder auto. Wenn leer, entscheidet der Anbieter."],
  IMAGE_STEPS: ["Schritte", "Für Anbieter, die Schritte annehmen, etwa LocalAI. 0: wird nicht gesendet."],
  ENABLE_IMAGE_PROMPT_GENERATION: [
    "Beschreibungen von einem Modell",
    "Das Modell für Titel, Tags und Zusammenfassungen macht aus der Unterhaltung zuerst eine Beschreibung. Sonst werden die Wörter der Frage gesendet.",
  ],
  ENABLE_IMAGE_EDIT: ["Bilder ändern", "Bilder eines Chats können geändert werden, über /images/edits des Anbieters."],
  IMAGE_EDIT_MODEL: ["Modell für Änderungen", "Wenn leer, das Modell für Bilder."],
  AUDIO_STT_ENGINE: [
    "Diktieren",
    "Was Gesprochenes aufschreibt: der Browser der Person, der es an seinen Hersteller senden kann, eine Verbindung oder nichts.",
  ],
  AUDIO_STT_CONNECTION: ["Verbindung zum Diktieren", "Eine Verbindung, die /audio/transcriptions von OpenAI hat."],
  AUDIO_STT_MODEL: ["Modell zum Diktieren", "Wie es beim Anbieter heißt."],
  AUDIO_STT_MAX_SIZE: ["Längste Aufnahme (MB)", "Größere Aufnahmen werden schon beim Eintreffen abgelehnt."],
  AUDIO_TTS_ENGINE: ["Vorlesen", "Was Antworten vorliest: der Browser der Person, eine Verbindung oder nichts."],
  AUDIO_TTS_CONNECTION: ["Verbindung zum Vorlesen", "Eine Verbindung, die /audio/speech von OpenAI hat."],
  AUDIO_TTS_MODEL: ["Modell zum Vorlesen", "Wie es beim Anbieter heißt."],
  AUDIO_TTS_VOICE: ["Stimme", "Die Stimme für Personen, die keine gewählt haben."],
  AUDIO_TTS_VOICES: ["Stimmen", "Die Stimmen, die Personen wählen können, wie sie beim Anbieter heißen."],
  USAGE_RECORD_DAYS: [
    "Einzelne Aufrufe behalten (Tage)",
    "Welche Person welches Modell wann und wie lange aufgerufen hat. Tagessummen bleiben unbegrenzt erhalten.",
  ],
  ENABLE_PUBLIC_ACTIVE_USERS_COUNT: [
    "Aktive Personen allen anzeigen",
    "GET /api/usage: wie viele Personen aktiv sind und welche Modelle verwendet werden. Wenn ausgeschaltet, nur für Administratoren.",
  ],
  ENABLE_CHANNELS: [
    "Kanäle",
    "Räume, in denen Personen, Bots und Modelle einander schreiben. Wenn ausgeschaltet, können Kanäle weder gelesen noch beschrieben werden.",
  ],
  CHANNEL_CONTEXT_MESSAGES: [
    "Kontext eines Modells (Nachrichten)",
    "Wie viele der letzten Nachrichten ein Modell sieht, wenn es in einem Kanal oder Thread gefragt wird, einschließlich der Frage.",
  ],
  ENABLE_CHANNEL_WEBHOOK_NAMES: [
    "Namen und Bilder in Webhook-Beiträgen",
    "Ein Beitrag kann einen eigenen Namen und ein eigenes Bild mitbringen. Sie werden mit dem Namen des Webhooks angezeigt. Wenn ausgeschaltet, entfallen sie.",
  ],
  CHANNEL_WEBHOOK_RATE: [
    "Grenze für Webhooks (Beiträge pro Minute)",
    "Wie viele Beiträge jeder Kanal-Webhook dauerhaft senden darf. Schnellere Beiträge erhalten 429.",
  ],
  CHANNEL_WEBHOOK_BURST: [
    "Webhook-Beiträge auf einmal",
    "Wie viele Beiträge ein ruhender Webhook ohne Pause senden darf.",
  ],
  WEBHOOK_URL: [
    "Webhook-URL",
    "Erhält eine Nachricht zu jeder neuen Person. Zustellungen und das Secret für die Signatur finden Sie unter Webhooks.",
  ],
  ENABLE_USER_WEBHOOKS: [
    "Webhooks von Personen",
    "Personen können einen Webhook festlegen, der aufgerufen wird, wenn eine Antwort fertig wird, während sie nicht da sind.",
  ],
  SMTP_HOST: ["Mailserver", "Hostname des SMTP-Servers. Wenn leer, werden keine E-Mails verschickt."],
  SMTP_PORT: ["Port", "Meist 587 mit STARTTLS, 465 mit TLS."],
  SMTP_SECURITY: [
    "Verschlüsselung",
    "tls: von Anfang an verschlüsselt. starttls: verschlüsselt, bevor etwas Geheimes übertragen wird, sonst wird gar nicht gesendet. none: für einen Server auf demselben Rechner oder im selben Netzwerk.",
  ],
  SMTP_USER: ["Benutzername", "Wenn leer, meldet sich Parley nicht beim Mailserver an."],
  SMTP_PASSWORD: ["Passwort", "Hat Vorrang vor dem Passwort, das unter „Administration“, „E-Mail“ eingegeben ist."],
  SMTP_FROM: [
    "Absender",
    "Etwa parley@example.org oder Parley <parley@example.org>. Ohne Absender werden keine E-Mails verschickt.",
  ],
  METRICS_TOKEN: [
    "Token für Metriken",
    "Ein zufälliger Text mit mindestens 16 Zeichen, den Prometheus als Bearer-Token an /metrics sendet. Ohne ihn antwortet /metrics mit 404.",
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    "Collector",
    "Die Adresse eines OpenTelemetry-Collectors, etwa http://127.0.0.1:4318. Traces gehen an /v1/traces darunter. Ohne Adresse gibt es keine.",
  ],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: [
    "Collector für Traces",
    "Die ganze Adresse für Traces, mit ihrem Pfad. Sie hat Vorrang vor der anderen.",
  ],
  OTEL_EXPORTER_OTLP_HEADERS: [
    "Header für den Collector",
    "name=value, durch Kommas getrennt: zum Beispiel ein Schlüssel. Werte können mit % maskiert sein.",
  ],
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: [
    "Header für Traces",
    "Dasselbe, nur für Traces. Ein Header desselben Namens hat Vorrang vor dem anderen.",
  ],
  OTEL_EXPORTER_OTLP_PROTOCOL: [
    "Protokoll des Collectors",
    "Parley sendet JSON über HTTP. Das nimmt jeder Collector an seinem HTTP-Port (4318) an.",
  ],
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: ["Protokoll für Traces", "Dasselbe, nur für Traces."],
  OTEL_SERVICE_NAME: ["Name in Traces", "Der Name dieses Dienstes in Traces."],
  OTEL_RESOURCE_ATTRIBUTES: [
    "Attribute des Dienstes",
    "name=value, durch Kommas getrennt, etwa deployment.environment.name=staging. Sie stehen in jedem Trace.",
  ],
  OTEL_TRACES_SAMPLER: [
    "Welche Traces aufgezeichnet werden",
    "parentbased: Es gilt, was ein traceparent sagt. Der Rest gilt nur ohne traceparent.",
  ],
  OTEL_TRACES_SAMPLER_ARG: [
    "Anteil der Traces",
    "0 bis 1, etwa 0.1: wie viele Traces die Sampler mit traceidratio aufzeichnen.",
  ],
  OTEL_SDK_DISABLED: ["Keine Traces", "Schaltet Traces aus, was auch immer sonst festgelegt ist."],
  TRACEPARENT_TO_PROVIDERS: [
    "Anbieter erfahren den Trace",
    "Modellaufrufe haben den Header traceparent, sodass ein eigener Anbieter den Trace ergänzen kann.",
  ],
  ENABLE_TITLE_GENERATION: ["Titel erzeugen", "Ein Modell schreibt im Hintergrund einen Titel für jeden neuen Chat."],
  ENABLE_TAGS_GENERATION: [
    "Tags erzeugen",
    "Ein Modell wählt im Hintergrund Tags für jeden neuen Chat, was einen weiteren Aufruf kostet.",
  ],
  TASK_MODEL: ["Modell für Titel, Tags und Zusammenfassungen", "Eine Modell-ID. Wenn leer, das Modell des Chats."],
  ENABLE_CONTEXT_COMPACTION: [
    "Lange Unterhaltungen kürzen",
    "Wenn sich eine Unterhaltung auf der Webseite dem Ende des Kontexts des Modells nähert, fasst ein Modell ihren Anfang zusammen. Alle Nachrichten bleiben erhalten. API-Aufrufe ändern sich nicht.",
  ],
  CONTEXT_COMPACTION_SHARE: [
    "Kürzen ab (Prozent des Kontexts)",
    "Wie voll der Kontext des Modells werden darf, bevor eine Unterhaltung gekürzt wird.",
  ],
  DEFAULT_PROMPT_SUGGESTIONS: [
    "Vorgeschlagene Fragen",
    "Fragen, die neue Chats anbieten, durch Semikolons getrennt, wenn das Modell selbst keine vorschlägt.",
  ],
  MAX_CHAT_MESSAGES: [
    "Nachrichten in einem Chat",
    "Wie viele Nachrichten ein Chat höchstens haben kann. Mehr zu speichern oder zu importieren wird abgelehnt.",
  ],
  ENABLE_PREVIEWS: [
    "Vorschau von Antworten",
    "Personen können Seiten, Tabellen und Diagramme aus Antworten neben dem Chat öffnen, in einem Rahmen ohne Netzwerk und Speicher.",
  ],
  ENABLE_CODE_EXECUTION: [
    "Code aus Antworten ausführen",
    "Personen können Python und JavaScript aus Antworten ausführen. Python läuft in einem isolierten Prozess ohne Netzwerk.",
  ],
  ENABLE_CODE_INTERPRETER: [
    "Modelle dürfen Code ausführen",
    "Personen können Modellen erlauben, für eine Antwort Python auszuführen. Es läuft in denselben isolierten Prozessen.",
  ],
  CODE_EXECUTION_TIMEOUT: ["Längste Ausführung von Code (Sekunden)", "Was länger läuft, wird gestoppt."],
  ENABLE_MEMORIES: [
    "Erinnerungen",
    "Was sich Modelle über Personen merken sollen. Wenn ausgeschaltet, bleiben Erinnerungen erhalten, können aber weder gelesen noch geändert werden, und Modelle erhalten sie nicht.",
  ],
  MAX_MEMORIES: ["Erinnerungen einer Person", "Wie viele Erinnerungen eine Person haben darf."],
  ENABLE_MESSAGE_RATING: [
    "Bewertung von Antworten",
    "Personen können Antworten bewerten und sagen, warum. Wenn ausgeschaltet, bleiben frühere Bewertungen erhalten, und Personen können ihre eigenen weiterhin löschen.",
  ],
} satisfies SettingWords;
