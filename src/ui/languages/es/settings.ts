import type { SettingWords } from "../setting-words.ts";

export default {
  LOG_LEVEL: ["Nivel del registro", "Las líneas menos importantes no se escriben."],
  LOG_FORMAT: [
    "Formato del registro",
    "Líneas para personas, o un objeto JSON en cada línea. En el edge siempre es JSON.",
  ],
  ACCESS_LOG: [
    "Registro de solicitudes",
    "Una línea por cada solicitud respondida: método, ruta, estado, duración, bytes, ID de la solicitud, dirección de quien llama e ID de la persona.",
  ],
  MAX_JSON_VALUES: ["Valores en un cuerpo", "Cuántos valores puede tener el cuerpo JSON de una solicitud normal."],
  MAX_LARGE_JSON_VALUES: [
    "Valores en un cuerpo grande",
    "Lo mismo para las solicitudes que llevan conversaciones: chats, completions y llamadas de entornos locales.",
  ],
  MAX_BODY_MEMORY: [
    "Memoria para cuerpos",
    "Cuántos megabytes de cuerpos JSON pueden estar en curso al mismo tiempo. Las demás solicitudes esperan.",
  ],
  CLIENT_ADDRESS_HEADER: [
    "Cabecera con la dirección de quien llama",
    "La define lo que recibe las conexiones, para los límites por dirección. En un solo equipo la define el lanzador; en el edge, Cloudflare.",
  ],
  PUBLIC_ORIGIN_HEADER: [
    "Cabecera con la dirección pública",
    "La define lo que recibe las conexiones, con el esquema y el host tal como los ven las personas. En un solo equipo la define el lanzador, si un proxy de TRUSTED_PROXIES los indica. WEBUI_URL tiene prioridad.",
  ],
  BASE_PATH: [
    "Ruta base",
    "Todo Parley está debajo de esta ruta, como /parley: páginas, API, sockets, enlaces y cookies. El proxy pasa la ruta completa.",
  ],
  ENV: ["Modo", "dev ofrece la documentación de la API en /docs y /openapi.json."],
  PROCESS_CONFINEMENT: [
    "Aislamiento de procesos",
    "Qué quita el sistema a los procesos de plugins, documentos y contraseñas. En un solo equipo lo define el lanzador. walls: los privilegios, los archivos del servicio y, donde no se llama a nada, la red. privileges: solo los privilegios. Vacío: decide la plataforma.",
  ],
  WEBUI_NAME: ["Nombre", "Se muestra en la página de inicio de sesión y en los títulos de las pestañas."],
  WEBUI_URL: [
    "Dirección pública",
    "La dirección en la que las personas acceden al servicio. Si es https, la cookie de sesión solo se envía por https.",
  ],
  OUTBOUND_ALLOWED_PRIVATE_HOSTS: [
    "Direcciones privadas permitidas",
    "host o host:port, separados por comas. Las personas y los plugins pueden llamarlas aunque sean privadas.",
  ],
  OUTSIDE_PICTURES: [
    "Imágenes de otros sitios",
    "Imágenes de los textos que están en otros sitios. El servicio las obtiene, así que esos sitios no saben quién lee. ask: no se obtiene nada antes de que alguien haga clic. show: quien consiga que un modelo escriba una imagen así se entera de lo que hay en su dirección. link: no se obtiene nada.",
  ],
  ENABLE_SIGNUP: [
    "Permitir el registro",
    "Si está desactivado, solo los administradores y el proveedor de identidad pueden crear cuentas.",
  ],
  DEFAULT_USER_ROLE: [
    "Rol de las personas nuevas",
    "Las personas pendientes tienen que esperar a que un administrador apruebe su cuenta.",
  ],
  MAX_WAITING_ACCOUNTS: [
    "Cuentas pendientes",
    "Cuando tantas personas esperan la aprobación, nadie más puede registrarse. A una misma red le corresponde la cuarta parte de las plazas. Esperan 7 días como máximo.",
  ],
  MAX_NETWORK_SIGNUPS: [
    "Registros desde una misma red",
    "Cuántas personas pueden registrarse de una vez desde una misma red (IPv4 /24, IPv6 /64), y otras tantas cada hora después. 0: sin límite.",
  ],
  ENABLE_USER_STATUS: [
    "Mensajes de estado",
    "Las personas pueden decir qué están haciendo en este momento, con un emoji. Su organización lo ve.",
  ],
  SECOND_FACTOR: [
    "Quién necesita un segundo factor",
    "De quienes inician sesión con contraseña. Lo configuran antes que nada. Son administradores los del servicio y los de las organizaciones. Una organización puede exigirlo a todas sus personas. El inicio de sesión único y las claves de API están exentos.",
  ],
  ENABLE_PASSKEYS: [
    "Llaves de acceso",
    "Las personas con contraseña pueden añadir llaves de acceso, para iniciar sesión sin la contraseña y como segundo factor. Si está desactivado, las llaves de acceso existentes no sirven para iniciar sesión ni cuentan como segundo factor.",
  ],
  PASSWORD_COST: [
    "Coste del hash de contraseñas",
    "El trabajo que cuesta comprobar una contraseña, o adivinarla con una base de datos robada: N de scrypt como potencia de dos. 14 necesita 16 MB y unos 0,2 s; 15 y 16 necesitan 32 y 64 MB, y unos 0,35 s. Menos de 14 solo para pruebas. Las contraseñas pasan al nuevo valor en el siguiente inicio de sesión.",
  ],
  JWT_EXPIRES_IN: [
    "Duración de las sesiones",
    "Un número con una unidad, como 12h o 4w. -1: las sesiones no caducan nunca.",
  ],
  SHOW_ADMIN_DETAILS: [
    "Mostrar el contacto de un administrador",
    "Las personas pendientes de aprobación ven el nombre y la dirección de un administrador.",
  ],
  ADMIN_EMAIL: [
    "Dirección de contacto",
    "Se muestra a las personas pendientes de aprobación. Si está vacía, la dirección del primer administrador.",
  ],
  PENDING_USER_OVERLAY_TITLE: ["Página de espera: título", "Si está vacío, el título incorporado."],
  PENDING_USER_OVERLAY_CONTENT: ["Página de espera: texto", "Si está vacío, el texto incorporado."],
  MAX_PERSON_STORAGE: [
    "Almacenamiento de una persona (MB)",
    "Cuánto pueden ocupar en total los archivos de una persona. 0: sin límite.",
  ],
  MAX_ORGANIZATION_STORAGE: [
    "Almacenamiento de una organización (MB)",
    "Cuánto pueden ocupar juntos los archivos de todas las personas de una organización. 0: sin límite. Una organización puede tener su propio límite.",
  ],
  MAX_SERVICE_STORAGE: [
    "Almacenamiento del servicio (MB)",
    "Cuánto pueden ocupar juntos todos los archivos. 0: sin límite. Elige menos que el tamaño del disco.",
  ],
  MAX_FILES: ["Archivos de una persona", "Cuántos archivos puede tener una persona. 0: sin límite."],
  MAX_CHATS: [
    "Chats de una persona",
    "Cuántos chats puede tener una persona, incluidos los archivados. 0: sin límite.",
  ],
  MAX_WAITING_JOBS: [
    "Tareas en espera de una persona",
    "Cuántos archivos de una persona pueden esperar a ser leídos y cuántas respuestas de modelos pueden estar en curso en los canales. 0: sin límite.",
  ],
  RATE_LIMITS: [
    "Solicitudes por minuto",
    "Límites como person.models=600, separados por punto y coma. Quién: person, key (de la API), organization o address (una red, sin iniciar sesión). Qué: models, uploads, searches, reads, writes o all. Sin una entrada no hay límite.",
  ],
  RETENTION_CHATS: [
    "Chats (días)",
    "Días tras el último cambio, incluidos los chats fijados y archivados. 0: se conservan para siempre. Una organización puede tener su propio plazo.",
  ],
  RETENTION_FILES: [
    "Archivos (días)",
    "Días tras la subida o el último cambio. Los archivos de una base de conocimiento, un canal, un modelo o un chat se conservan mientras estén allí. 0: se conservan para siempre. Una organización puede tener su propio plazo.",
  ],
  RETENTION_CHANNEL_MESSAGES: [
    "Mensajes de canales (días)",
    "Días tras la publicación. 0: se conservan para siempre. Una organización puede tener su propio plazo.",
  ],
  RETENTION_LOGS: [
    "Registros (días)",
    "Llamadas a modelos, registro de auditoría, entregas de webhooks y respuestas de la API almacenadas. Algunos tienen de todos modos un plazo más corto. 0: se conservan para siempre. Una organización puede tener su propio plazo.",
  ],
  MIN_FREE_DISK: [
    "Espacio libre en disco (MB)",
    "Con menos espacio en el disco de la carpeta de datos, las subidas se rechazan con 507 y se avisa a los administradores. 0: nunca. Solo si todo está en un único equipo.",
  ],
  ENABLE_API_KEYS: [
    "Activar las claves de API",
    "Las personas pueden crear claves para scripts. Todas, salvo los administradores, necesitan además el permiso “Usar claves de API”. Si está desactivado, no funciona ninguna clave.",
  ],
  ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: [
    "Restringir los endpoints de las claves de API",
    "Las claves solo pueden llamar a los endpoints de la lista de abajo. Si la lista está vacía, no pueden llamar a ninguno.",
  ],
  API_KEYS_ALLOWED_ENDPOINTS: [
    "Endpoints permitidos",
    "Separados por comas, por ejemplo: GET /api/models, /api/chat/completions, /api/v1/users/:id/info, /api/v1/chats/*. Sin método, se permiten todos los métodos. /* incluye todo lo que hay debajo.",
  ],
  CUSTOM_API_KEY_HEADER: [
    "Cabecera de la clave de API",
    "La cabecera para la clave cuando un proxy usa Authorization para sí mismo.",
  ],
  USER_PERMISSIONS_FEATURES_API_KEYS: [
    "Claves de API para todos",
    "Tiene prioridad sobre este permiso predeterminado. Si no está definido, se aplican los permisos predeterminados de la página de grupos.",
  ],
  OPENID_PROVIDER_URL: [
    "Proveedor de identidad",
    "El emisor o la dirección del documento de descubrimiento (https; http solo para loopback).",
  ],
  OAUTH_CLIENT_ID: ["ID de cliente", "El ID de este servicio en el proveedor."],
  OAUTH_CLIENT_SECRET: ["Secreto de cliente", "Se deja vacío para un cliente público."],
  OAUTH_PROVIDER_NAME: ["Nombre del proveedor", "Se muestra en el botón de la página de inicio de sesión."],
  OAUTH_SCOPES: ["Scopes", "Scopes que se solicitan, separados por espacios; openid debe estar entre ellos."],
  OPENID_REDIRECT_URI: [
    "Dirección de retorno",
    "Tal como está registrada en el proveedor. Si está vacía: <dirección pública>/oauth/oidc/login/callback.",
  ],
  GOOGLE_CLIENT_ID: ["Google: ID de cliente", "Añade Google como proveedor."],
  GOOGLE_CLIENT_SECRET: ["Google: secreto de cliente", "El secreto que emitió Google."],
  GOOGLE_REDIRECT_URI: [
    "Google: dirección de retorno",
    "Si está vacía: <dirección pública>/oauth/google/login/callback.",
  ],
  MICROSOFT_CLIENT_ID: ["Microsoft: ID de cliente", "Añade Microsoft Entra ID como proveedor."],
  MICROSOFT_CLIENT_SECRET: ["Microsoft: secreto de cliente", "El secreto que emitió Entra ID."],
  MICROSOFT_CLIENT_TENANT_ID: ["Microsoft: inquilino", "El ID o el dominio de tu inquilino."],
  MICROSOFT_REDIRECT_URI: [
    "Microsoft: dirección de retorno",
    "Si está vacía: <dirección pública>/oauth/microsoft/login/callback.",
  ],
  ENABLE_OAUTH_SIGNUP: [
    "Registro con inicio de sesión único",
    "Las personas obtienen una cuenta cuando inician sesión con el proveedor por primera vez.",
  ],
  OAUTH_MERGE_ACCOUNTS_BY_EMAIL: [
    "Unir por correo",
    "Quien inicia sesión con la dirección verificada de una cuenta existente obtiene esa cuenta. Las sesiones de la cuenta se cierran, y su contraseña y sus claves de API se eliminan (los administradores conservan las suyas).",
  ],
  OAUTH_ALLOWED_DOMAINS: [
    "Dominios de correo",
    "Dominios que pueden iniciar sesión, separados por comas. * permite todos.",
  ],
  OAUTH_SUB_CLAIM: [
    "Claim: identidad",
    "El ID permanente de una persona en el proveedor. Con SCIM debe ser igual que externalId.",
  ],
  OAUTH_USERNAME_CLAIM: ["Claim: nombre", "El claim con el nombre de la persona."],
  OAUTH_EMAIL_CLAIM: ["Claim: correo", "El claim con la dirección de correo."],
  OAUTH_PICTURE_CLAIM: ["Claim: imagen", "El claim con la URL de la imagen. Si está vacío, no se usa ninguna imagen."],
  OAUTH_UPDATE_NAME_ON_LOGIN: [
    "Actualizar el nombre al iniciar sesión",
    "El nombre del proveedor sustituye al almacenado.",
  ],
  OAUTH_UPDATE_EMAIL_ON_LOGIN: [
    "Actualizar el correo al iniciar sesión",
    "La dirección verificada del proveedor sustituye a la almacenada, salvo que la tenga otra cuenta.",
  ],
  OAUTH_UPDATE_PICTURE_ON_LOGIN: [
    "Actualizar la imagen al iniciar sesión",
    "La imagen del proveedor sustituye a la almacenada.",
  ],
  ENABLE_OAUTH_ROLE_MANAGEMENT: [
    "Los roles vienen del proveedor",
    "El claim de roles decide en cada inicio de sesión. Quien no tiene ninguno de los roles de abajo no puede iniciar sesión.",
  ],
  OAUTH_ROLES_CLAIM: ["Claim: roles", "Usa puntos para claims anidados."],
  OAUTH_ALLOWED_ROLES: ["Roles que pueden iniciar sesión", "Los nombres en el proveedor, separados por comas."],
  OAUTH_ADMIN_ROLES: ["Roles de administrador", "Los nombres en el proveedor, separados por comas."],
  ENABLE_OAUTH_GROUP_MANAGEMENT: [
    "Los grupos vienen del proveedor",
    "En cada inicio de sesión, las personas entran en grupos y salen de ellos según el claim de grupos.",
  ],
  OAUTH_GROUPS_CLAIM: ["Claim: grupos", "Usa puntos para claims anidados."],
  ENABLE_OAUTH_GROUP_CREATION: [
    "Crear los grupos que faltan",
    "Crea los grupos que están en el claim pero aún no existen.",
  ],
  OAUTH_BLOCKED_GROUPS: ["Grupos que se ignoran", "Nombres, separados por comas. * coincide con cualquier cosa."],
  OAUTH_CODE_CHALLENGE_METHOD: ["Método PKCE", "Cómo se obtiene el code challenge. Se envía siempre."],
  OAUTH_TOKEN_ENDPOINT_AUTH_METHOD: [
    "Cómo se envía el secreto de cliente",
    "Auto usa un método que el proveedor admite.",
  ],
  OAUTH_TIMEOUT: ["Tiempo de espera del proveedor (segundos)", "Para cada solicitud al proveedor."],
  OAUTH_AUTO_REDIRECT: ["Redirigir al proveedor de inmediato", "Solo cuando hay exactamente un proveedor."],
  ENABLE_OAUTH_BACKCHANNEL_LOGOUT: [
    "Cierre de sesión back-channel",
    "El proveedor puede cerrar sesiones mediante /oauth/backchannel-logout.",
  ],
  OPENID_END_SESSION_ENDPOINT: [
    "Dirección de cierre de sesión del proveedor",
    "Donde continúa el cierre de sesión. Si está vacía, se usa la dirección del documento de descubrimiento.",
  ],
  WEBUI_AUTH_SIGNOUT_REDIRECT_URL: [
    "Tras cerrar sesión",
    "Adónde se lleva a las personas después de cerrar sesión. Si el proveedor también cierra su sesión, registra allí esta dirección.",
  ],
  ENABLE_LOGIN_FORM: [
    "Mostrar el formulario de contraseña",
    "Muestra el correo y la contraseña en la página de inicio de sesión. Si está desactivado, solo se muestran los botones de los proveedores.",
  ],
  ENABLE_PASSWORD_AUTH: ["Contraseñas", "Permite iniciar sesión y registrarse con una contraseña."],
  SCIM_ENABLED: [
    "Aprovisionamiento (SCIM)",
    "Un proveedor de identidad puede crear, cambiar y desactivar cuentas y grupos.",
  ],
  SCIM_TOKEN: [
    "Token del proveedor de identidad",
    "Un texto largo y aleatorio que el proveedor de identidad envía como token Bearer.",
  ],
  SCIM_TOKEN_PREVIOUS: [
    "Token anterior",
    "También se acepta, hasta que el proveedor de identidad tenga el token nuevo.",
  ],
  SCIM_AUTH_PROVIDER: [
    "Proveedor de inicio de sesión de las personas aprovisionadas",
    "ID del proveedor de inicio de sesión al que pertenece externalId, como oidc o microsoft.",
  ],
  SCIM_IP_ALLOWLIST: [
    "Direcciones permitidas",
    "Direcciones o rangos que pueden aprovisionar, separados por comas. Si está vacío, pueden todas las direcciones.",
  ],
  SCIM_IP_HEADER: [
    "Cabecera con la dirección de quien llama",
    "La cabecera en la que el proxy envía la dirección de quien llama: CF-Connecting-IP en Cloudflare; en otros casos, a menudo X-Real-IP o X-Forwarded-For.",
  ],
  DEFAULT_MODEL_VISIBILITY: [
    "Acceso a modelos sin compartir",
    "Quién puede ver los modelos que no se comparten con nadie en particular.",
  ],
  DEFAULT_MODELS: [
    "Modelo predeterminado",
    "ID de modelos, separados por comas. Los chats nuevos usan el primero que la persona puede ver.",
  ],
  DEFAULT_PINNED_MODELS: [
    "Modelos fijados",
    "ID de modelos, separados por comas. Aparecen primero en la lista de las personas que no han fijado ninguno.",
  ],
  CONNECTION_OPTIONS: [
    "Opciones de las conexiones del entorno",
    'Un objeto JSON como {"env-openai-0": {"quirks": {"rename": {"max_tokens": "max_completion_tokens"}}, "policy": {"max_concurrent": 8}}}, con los ID de las conexiones como claves.',
  ],
  UPSTREAM_TIMEOUT: [
    "Tiempo de espera del proveedor (segundos)",
    "Cuánto tiempo puede estar un proveedor sin enviar datos, antes de que empiece la respuesta y durante ella.",
  ],
  OPENAI_API_BASE_URLS: ["Conexiones compatibles con OpenAI", "Direcciones base, separadas por punto y coma."],
  OPENAI_API_KEYS: [
    "Claves de las conexiones compatibles con OpenAI",
    "En el mismo orden que las direcciones, separadas por punto y coma.",
  ],
  ANTHROPIC_API_BASE_URLS: ["Conexiones con una Messages API", "Direcciones base, separadas por punto y coma."],
  ANTHROPIC_API_KEYS: [
    "Claves de las conexiones con una Messages API",
    "En el mismo orden que las direcciones, separadas por punto y coma.",
  ],
  LOCALMODEL_BASE_URLS: ["Entornos locales", "Direcciones base, separadas por punto y coma."],
  ENABLE_DIRECT_CONNECTIONS: [
    "Conexiones propias",
    "Las personas con el permiso features.direct_connections conectan proveedores propios, con sus propias claves y solo para sí.",
  ],
  ENABLE_PLUGINS: [
    "Ejecutar plugins",
    "Si está desactivado, no se ejecutan funciones ni herramientas de plugins. Los plugins almacenados se conservan.",
  ],
  SAFE_MODE: ["Modo seguro", "Todas las funciones se tratan como desactivadas, aunque ellas mismas estén activadas."],
  RUNNERS: [
    "Ejecutores nativos",
    "Direcciones como http://runner:8710, separadas por comas. Los administradores pueden hacer que los plugins de Python se ejecuten allí, fuera del entorno aislado.",
  ],
  RUNNER_TOKEN: ["Token de los ejecutores nativos", "El mismo que el RUNNER_TOKEN de los ejecutores."],
  PLUGIN_TIMEOUT: [
    "Tiempo de espera de una llamada a un plugin (segundos)",
    "El tiempo que se esperan las respuestas de las personas no cuenta.",
  ],
  PLUGIN_TASK_TIMEOUT: [
    "Tareas después de una respuesta (segundos)",
    "Cuánto tiempo pueden seguir las tareas y los threads que un plugin de Python deja en marcha cuando su función ya ha respondido. Cuentan para el tiempo de espera de la llamada. 0: terminan con la respuesta.",
  ],
  PLUGIN_PACKAGE_REGISTRIES: [
    "Registros de paquetes de Python",
    "Direcciones de los registros de los que se pueden descargar paquetes para plugins, como https://pypi.org/simple/. Decide el primero que conoce un nombre. Si está vacío, no se descarga nada y los wheels se suben.",
  ],
  PLUGIN_INTERPRETER_PACKAGES: [
    "Paquetes hechos para el intérprete",
    "Dirección de la carpeta de la que se pueden descargar paquetes como numpy, pandas, pillow y lxml: https://cdn.jsdelivr.net/pyodide/v314.0.7/full/, o una copia de ella. Solo se aceptan archivos con el SHA-256 que figura en el archivo de bloqueo del intérprete. Si está vacía, los paquetes se suben.",
  ],
  PLUGIN_DATABASE_MAX_SIZE: [
    "Bases de datos de un plugin (MB)",
    "Cuánto pueden ocupar juntos, comprimidos, los archivos SQLite de un plugin. Las herramientas de personas que no son administradores disponen de esta cantidad para cada persona que las usa. 0: los plugins no conservan bases de datos.",
  ],
  OUTLET_FILTER_MODE: [
    "Filtros outlet para llamadas a la API",
    "stable: solo los ejecuta /api/chat/completed. prerelease: también se ejecutan al final de una llamada a la API que se almacena en un chat; la respuesta por HTTP no cambia nunca.",
  ],
  WEBSOCKET_EVENT_CALLER_TIMEOUT: [
    "Tiempo de espera de las preguntas a personas (segundos)",
    "Cuánto espera un plugin la respuesta de una persona.",
  ],
  ENABLE_EXTERNAL_EXECUTE: [
    "Código de herramientas externas en el navegador",
    "Si el endpoint de eventos acepta eventos execute. El código se ejecuta en un marco sin acceso a la sesión.",
  ],
  ENABLE_FORWARD_USER_INFO_HEADERS: [
    "Enviar datos de la persona a los servidores de herramientas",
    "Añade el ID del chat, el ID del mensaje y datos de la persona a las llamadas a herramientas externas.",
  ],
  FORWARD_USER_INFO_HEADER_JWT_SECRET: [
    "Secreto para firmar los datos de la persona",
    "Si está definido, los datos de la persona se envían como un token firmado (HS256) en lugar de en cabeceras sin firma.",
  ],
  TOOL_CALL_TURNS: [
    "Rondas de llamadas a herramientas por respuesta",
    "Después de tantas rondas, el modelo tiene que responder sin herramientas.",
  ],
  TOOL_RESULT_LIMIT: [
    "Longitud máxima de un resultado de herramienta (caracteres)",
    "Los resultados más largos se recortan para el modelo, con una nota, y se almacenan completos en un archivo.",
  ],
  RAG_FILE_MAX_SIZE: ["Archivo más grande (MB)", "Los archivos más grandes se rechazan durante la subida."],
  RAG_FILE_MAX_COUNT: ["Archivos por mensaje", "Cuántos archivos se pueden adjuntar a un mensaje."],
  RAG_ALLOWED_FILE_EXTENSIONS: [
    "Tipos de archivo permitidos",
    "Extensiones de archivo que se pueden subir, como pdf o docx. Si está vacío, se permiten todas.",
  ],
  FILE_PROCESSING_TIMEOUT: [
    "Tiempo de procesamiento (segundos)",
    "Un archivo en el que no se pueda buscar para entonces se marca como fallido.",
  ],
  CONTENT_EXTRACTION_ENGINE: [
    "Lector de documentos",
    "external: el servicio de abajo lee todos los archivos. Si no, lee solo lo que Parley no puede leer.",
  ],
  EXTERNAL_DOCUMENT_LOADER_URL: [
    "Dirección de un lector externo",
    "Recibe el archivo como PUT {address}/process y devuelve page_content. Si está vacía, no se usa ningún lector externo.",
  ],
  EXTERNAL_DOCUMENT_LOADER_API_KEY: ["Clave del lector externo", "Se envía como token Bearer."],
  RAG_VISION_MODEL: [
    "Modelo que lee imágenes",
    "El ID de un modelo con visión. Lee imágenes y páginas escaneadas. Sin él, no tienen texto.",
  ],
  ENABLE_KNOWLEDGE_FILE_RETENTION: [
    "Conservar los archivos quitados",
    "Si está desactivado, quitar un archivo propio de una base de conocimiento también lo elimina, salvo que se use en otro sitio; lo mismo ocurre al eliminar una base de conocimiento. Una solicitud puede indicar otra cosa.",
  ],
  RAG_EMBEDDING_MODEL: [
    "Modelo de embeddings",
    "El ID de un modelo que convierte los fragmentos en vectores. Si está vacío, la búsqueda solo encuentra palabras.",
  ],
  CHUNK_SIZE: [
    "Longitud de los fragmentos (caracteres)",
    "Se aplica a los archivos que se procesen a partir de ahora.",
  ],
  CHUNK_OVERLAP: [
    "Solapamiento de los fragmentos (caracteres)",
    "Cuánto del fragmento anterior se repite, como máximo la mitad de la longitud.",
  ],
  RAG_EMBEDDING_BATCH_SIZE: [
    "Fragmentos por llamada",
    "Cuántos fragmentos se envían a la vez al modelo de embeddings.",
  ],
  RAG_EMBEDDING_CONTENT_PREFIX: [
    "Prefijo de los fragmentos",
    "El prefijo que el modelo de embeddings espera delante del texto de un documento, como “passage: ”.",
  ],
  RAG_EMBEDDING_QUERY_PREFIX: [
    "Prefijo de las consultas",
    "El prefijo que el modelo de embeddings espera delante de una pregunta, como “query: ”.",
  ],
  RAG_TOP_K: ["Fragmentos por respuesta", "Cuántos de los mejores fragmentos recibe el modelo."],
  RAG_RELEVANCE_THRESHOLD: [
    "Similitud mínima",
    "De 0 a 1. Los fragmentos que solo se encuentran por su significado se descartan si no llegan a este valor.",
  ],
  RAG_HYBRID_BM25_WEIGHT: [
    "Peso de la búsqueda por palabras",
    "1: solo palabras. 0: solo significado, si hay un modelo de embeddings.",
  ],
  RAG_RERANKING_URL: [
    "Dirección del reranker",
    "Recibe {model, query, documents, top_n} y devuelve resultados con index y relevance_score. Si está vacía, no se usa ningún reranker.",
  ],
  RAG_RERANKING_MODEL: ["Modelo del reranker", "Se envía al reranker como modelo."],
  RAG_RERANKING_API_KEY: ["Clave del reranker", "Se envía como token Bearer."],
  RAG_CONTEXT_TOKENS: [
    "Límite de fragmentos (tokens)",
    "El límite estimado para todos los fragmentos de una respuesta juntos.",
  ],
  RAG_TEMPLATE: [
    "Prompt para los fragmentos",
    "Usa {{CONTEXT}} y {{QUERY}}. Si está vacío, se usa el prompt de Parley.",
  ],
  ENABLE_RETRIEVAL_QUERY_GENERATION: [
    "Consultas de un modelo",
    "El modelo para títulos, etiquetas y resúmenes convierte primero la conversación en consultas de búsqueda. Mejor para conversaciones largas, pero más lento.",
  ],
  ENABLE_WEB_SEARCH: [
    "Búsqueda web",
    "Las personas con el permiso pueden hacer que se busque en la web para una respuesta.",
  ],
  WEB_SEARCH_ENGINE: ["Proveedor", "Quién busca en la web. Recibe las consultas y nada más de un chat."],
  SEARXNG_QUERY_URL: [
    "SearXNG: dirección",
    "Como http://localhost:8888/search. Sus ajustes deben permitir el formato json.",
  ],
  BRAVE_SEARCH_API_KEY: ["Brave: clave", "Se almacena cifrada y no vuelve a mostrarse."],
  TAVILY_API_KEY: ["Tavily: clave", "Se almacena cifrada y no vuelve a mostrarse."],
  GOOGLE_PSE_API_KEY: ["Google: clave", "Se almacena cifrada y no vuelve a mostrarse."],
  GOOGLE_PSE_ENGINE_ID: ["Google: ID del buscador", "El ID (cx) de un Programmable Search Engine."],
  EXTERNAL_WEB_SEARCH_URL: [
    "Tu propio proveedor: dirección",
    "Responde con JSON. {query} y {count} se sustituyen en la dirección, y se la llama con GET. Sin {query} recibe query y count como JSON con POST.",
  ],
  EXTERNAL_WEB_SEARCH_HEADER: [
    "Tu propio proveedor: cabecera",
    "Nombre: valor. {key} representa la clave. Sin clave no se envía.",
  ],
  EXTERNAL_WEB_SEARCH_API_KEY: ["Tu propio proveedor: clave", "Se almacena cifrada y no vuelve a mostrarse."],
  EXTERNAL_WEB_SEARCH_RESULTS: [
    "Tu propio proveedor: lista de resultados",
    "Dónde está la lista en la respuesta, como data.items. Vacío: la respuesta es la lista.",
  ],
  EXTERNAL_WEB_SEARCH_ADDRESS: [
    "Tu propio proveedor: dirección de un resultado",
    "Dónde está en un resultado, como url o page.href.",
  ],
  EXTERNAL_WEB_SEARCH_TITLE: ["Tu propio proveedor: título de un resultado", "Dónde está en un resultado."],
  EXTERNAL_WEB_SEARCH_SNIPPET: [
    "Tu propio proveedor: texto de un resultado",
    "Dónde está el texto breve en un resultado.",
  ],
  WEB_SEARCH_MCP_SERVER: [
    "MCP: servidor",
    "El ID de un servidor de herramientas. Solo pueden buscar las personas que pueden usar el servidor.",
  ],
  WEB_SEARCH_MCP_TOOL: ["MCP: herramienta", "El nombre de su herramienta que busca. Recibe la consulta como query."],
  WEB_SEARCH_RESULT_COUNT: ["Resultados", "Cuántos resultados se piden y se leen para cada respuesta."],
  WEB_SEARCH_DOMAIN_FILTER_LIST: [
    "Dominios",
    "Un dominio como example.org permite solo ese dominio y lo que hay debajo. Con ! delante, se bloquea. Si está vacío, se permiten todos.",
  ],
  ENABLE_SEARCH_QUERY_GENERATION: [
    "Consultas de un modelo",
    "El modelo para títulos, etiquetas y resúmenes convierte primero la conversación en consultas. Si no, se envían las palabras de la pregunta.",
  ],
  BYPASS_WEB_SEARCH_WEB_LOADER: [
    "Solo textos breves",
    "Las páginas no se abren. El modelo recibe los textos breves de los resultados.",
  ],
  WEB_SEARCH_CONTEXT_TOKENS: [
    "Límite de fragmentos (tokens)",
    "El límite estimado para todos los fragmentos de páginas de una respuesta.",
  ],
  WEB_LOADER_TIMEOUT: [
    "Tiempo para una página (segundos)",
    "Una página que no haya llegado para entonces se descarta.",
  ],
  ENABLE_IMAGE_GENERATION: ["Imágenes de modelos", "Las personas con el permiso pueden pedir que se creen imágenes."],
  IMAGE_GENERATION_CONNECTION: ["Conexión para imágenes", "Una conexión que tiene /images/generations de OpenAI."],
  IMAGE_GENERATION_MODEL: ["Modelo para imágenes", "Como lo llama el proveedor, por ejemplo gpt-image-1."],
  IMAGE_SIZE: ["Tamaño", "Ancho y alto en píxeles, como 1024x1024, o auto. Si está vacío, decide el proveedor."],
  IMAGE_STEPS: ["Pasos", "Para proveedores que admiten pasos, como LocalAI. 0: no se envía."],
  ENABLE_IMAGE_PROMPT_GENERATION: [
    "Descripciones de un modelo",
    "El modelo para títulos, etiquetas y resúmenes convierte primero la conversación en una descripción. Si no, se envían las palabras de la pregunta.",
  ],
  ENABLE_IMAGE_EDIT: [
    "Cambiar imágenes",
    "Las imágenes de un chat se pueden modificar, mediante /images/edits del proveedor.",
  ],
  IMAGE_EDIT_MODEL: ["Modelo para cambios", "Si está vacío, el modelo para imágenes."],
  AUDIO_STT_ENGINE: [
    "Dictado",
    "Qué transcribe lo que se dice: el navegador de cada persona, que puede enviarlo a su fabricante, una conexión o nada.",
  ],
  AUDIO_STT_CONNECTION: ["Conexión para el dictado", "Una conexión que tiene /audio/transcriptions de OpenAI."],
  AUDIO_STT_MODEL: ["Modelo para el dictado", "Como lo llama el proveedor."],
  AUDIO_STT_MAX_SIZE: ["Grabación más larga (MB)", "Las grabaciones más grandes se rechazan mientras llegan."],
  AUDIO_TTS_ENGINE: [
    "Lectura en voz alta",
    "Qué lee las respuestas en voz alta: el navegador de cada persona, una conexión o nada.",
  ],
  AUDIO_TTS_CONNECTION: ["Conexión para la lectura en voz alta", "Una conexión que tiene /audio/speech de OpenAI."],
  AUDIO_TTS_MODEL: ["Modelo para la lectura en voz alta", "Como lo llama el proveedor."],
  AUDIO_TTS_VOICE: ["Voz", "La voz para las personas que no han elegido ninguna."],
  AUDIO_TTS_VOICES: ["Voces", "Las voces entre las que se puede elegir, como las llama el proveedor."],
  USAGE_RECORD_DAYS: [
    "Conservar llamadas individuales (días)",
    "Qué persona llamó a qué modelo, cuándo y por cuánto tiempo. Los totales por día se conservan para siempre.",
  ],
  ENABLE_PUBLIC_ACTIVE_USERS_COUNT: [
    "Mostrar las personas activas a todos",
    "GET /api/usage: cuántas personas están activas y qué modelos se están usando. Si está desactivado, solo para administradores.",
  ],
  ENABLE_CHANNELS: [
    "Canales",
    "Salas donde se escriben personas, bots y modelos. Si está desactivado, no se puede leer ni escribir en los canales.",
  ],
  CHANNEL_CONTEXT_MESSAGES: [
    "Contexto de un modelo (mensajes)",
    "Cuántos de los últimos mensajes ve un modelo cuando se le pregunta en un canal o hilo, incluida la pregunta.",
  ],
  ENABLE_CHANNEL_WEBHOOK_NAMES: [
    "Nombres e imágenes en publicaciones de webhooks",
    "Una publicación puede traer su propio nombre y su propia imagen. Se muestran con el nombre del webhook. Si está desactivado, se omiten.",
  ],
  CHANNEL_WEBHOOK_RATE: [
    "Límite de webhooks (publicaciones por minuto)",
    "El ritmo sostenido de cada webhook de canal. Las publicaciones más rápidas reciben 429.",
  ],
  CHANNEL_WEBHOOK_BURST: [
    "Ráfaga de webhook (publicaciones)",
    "Cuántas publicaciones puede enviar sin pausa un webhook en reposo.",
  ],
  WEBHOOK_URL: [
    "URL del webhook",
    "Recibe un mensaje por cada persona nueva. Las entregas y el secreto de firma están en Webhooks.",
  ],
  ENABLE_USER_WEBHOOKS: [
    "Webhooks de usuario",
    "Cada persona puede definir un webhook al que se llama cuando una respuesta termina mientras no está.",
  ],
  SMTP_HOST: ["Servidor de correo", "Nombre de host del servidor SMTP. Si está vacío, no se envían correos."],
  SMTP_PORT: ["Puerto", "Normalmente 587 con STARTTLS, 465 con TLS."],
  SMTP_SECURITY: [
    "Cifrado",
    "tls: cifrado desde el principio. starttls: cifrado antes de que se transmita nada secreto; si no, no se envía. none: para un servidor en el mismo equipo o en la misma red.",
  ],
  SMTP_USER: ["Nombre de usuario", "Si está vacío, Parley no inicia sesión en el servidor de correo."],
  SMTP_PASSWORD: [
    "Contraseña",
    "Tiene prioridad sobre la contraseña introducida en Administración > Correo electrónico.",
  ],
  SMTP_FROM: [
    "Remitente",
    "Como parley@example.org, o Parley <parley@example.org>. Sin remitente no se envían correos.",
  ],
  METRICS_TOKEN: [
    "Token de métricas",
    "Un texto aleatorio de al menos 16 caracteres que Prometheus envía a /metrics como token Bearer. Sin él, /metrics responde 404.",
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    "Colector",
    "La dirección de un colector de OpenTelemetry, como http://127.0.0.1:4318. Las trazas van a /v1/traces debajo de ella. Sin ella no hay trazas.",
  ],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: [
    "Colector de trazas",
    "La dirección completa para las trazas, con su ruta. Tiene prioridad sobre la otra.",
  ],
  OTEL_EXPORTER_OTLP_HEADERS: [
    "Cabeceras para el colector",
    "name=value, separados por comas: una clave, por ejemplo. Los valores se pueden escapar con %.",
  ],
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: [
    "Cabeceras para las trazas",
    "Lo mismo, solo para las trazas. Con el mismo nombre, tiene prioridad sobre la otra.",
  ],
  OTEL_EXPORTER_OTLP_PROTOCOL: [
    "Protocolo del colector",
    "Parley envía JSON por HTTP, que todos los colectores aceptan en su puerto HTTP (4318).",
  ],
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: ["Protocolo para las trazas", "Lo mismo, solo para las trazas."],
  OTEL_SERVICE_NAME: ["Nombre en las trazas", "El nombre de este servicio en las trazas."],
  OTEL_RESOURCE_ATTRIBUTES: [
    "Atributos del servicio",
    "name=value, separados por comas, como deployment.environment.name=staging. Están en todas las trazas.",
  ],
  OTEL_TRACES_SAMPLER: [
    "Qué trazas se registran",
    "parentbased: cuenta lo que dice un traceparent, y el resto solo si no hay ninguno.",
  ],
  OTEL_TRACES_SAMPLER_ARG: [
    "Proporción de trazas",
    "De 0 a 1, como 0.1: cuántas trazas registran los muestreadores con traceidratio.",
  ],
  OTEL_SDK_DISABLED: ["Sin trazas", "Desactiva las trazas, esté definido lo que esté definido."],
  TRACEPARENT_TO_PROVIDERS: [
    "Los proveedores conocen la traza",
    "Las llamadas a modelos llevan la cabecera traceparent, para que un proveedor propio pueda completar la traza.",
  ],
  ENABLE_TITLE_GENERATION: ["Generar títulos", "Un modelo escribe en segundo plano un título para cada chat nuevo."],
  ENABLE_TAGS_GENERATION: [
    "Generar etiquetas",
    "Un modelo elige en segundo plano etiquetas para cada chat nuevo, lo que cuesta otra llamada.",
  ],
  TASK_MODEL: ["Modelo para títulos, etiquetas y resúmenes", "Un ID de modelo. Si está vacío, el modelo del chat."],
  ENABLE_CONTEXT_COMPACTION: [
    "Acortar conversaciones largas",
    "Cuando una conversación en la página web se acerca al final del contexto del modelo, un modelo resume su comienzo. Todos los mensajes se conservan. Las llamadas a la API no cambian.",
  ],
  CONTEXT_COMPACTION_SHARE: [
    "Acortar a partir de (porcentaje del contexto)",
    "Cuánto se puede llenar el contexto del modelo antes de acortar una conversación.",
  ],
  DEFAULT_PROMPT_SUGGESTIONS: [
    "Preguntas sugeridas",
    "Preguntas que ofrecen los chats nuevos, separadas por punto y coma, cuando el modelo no sugiere ninguna.",
  ],
  MAX_CHAT_MESSAGES: [
    "Mensajes de un chat",
    "El máximo de mensajes que puede tener un chat. Se rechaza guardar o importar más.",
  ],
  ENABLE_PREVIEWS: [
    "Vistas previas de respuestas",
    "Las personas pueden abrir junto al chat páginas, tablas y diagramas de las respuestas, en un marco sin red ni almacenamiento.",
  ],
  ENABLE_CODE_EXECUTION: [
    "Ejecutar código de respuestas",
    "Las personas pueden ejecutar el Python y el JavaScript de las respuestas. Python se ejecuta en un proceso aislado y sin red.",
  ],
  ENABLE_CODE_INTERPRETER: [
    "Los modelos pueden ejecutar código",
    "Las personas pueden permitir que los modelos ejecuten Python para una respuesta. Se ejecuta en los mismos procesos aislados.",
  ],
  CODE_EXECUTION_TIMEOUT: ["Ejecución de código más larga (segundos)", "Una ejecución que tarde más se detiene."],
  ENABLE_MEMORIES: [
    "Recuerdos",
    "Lo que las personas quieren que los modelos recuerden de ellas. Si está desactivado, los recuerdos se conservan, pero no se pueden leer ni cambiar, y los modelos no los reciben.",
  ],
  MAX_MEMORIES: ["Recuerdos de una persona", "Cuántos recuerdos puede tener una persona."],
  ENABLE_MESSAGE_RATING: [
    "Valoraciones de respuestas",
    "Las personas pueden valorar las respuestas y decir por qué. Si está desactivado, las valoraciones anteriores se conservan, y cada persona puede seguir eliminando las suyas.",
  ],
} satisfies SettingWords;
