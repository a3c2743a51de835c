import type { SettingWords } from "../setting-words.ts";

export default {
  LOG_LEVEL: ["Nível do registro", "Linhas menos importantes não são escritas."],
  LOG_FORMAT: ["Formato do registro", "Linhas para pessoas, ou um objeto JSON em cada linha. Na edge é sempre JSON."],
  ACCESS_LOG: [
    "Registro de solicitações",
    "Uma linha para cada solicitação respondida: método, rota, status, duração, bytes, ID da solicitação, endereço de quem chama e ID da pessoa.",
  ],
  MAX_JSON_VALUES: ["Valores em um corpo", "Quantos valores o corpo JSON de uma solicitação comum pode ter."],
  MAX_LARGE_JSON_VALUES: [
    "Valores em um corpo grande",
    "O mesmo para solicitações que levam conversas: chats, completions e chamadas de runtimes locais.",
  ],
  MAX_BODY_MEMORY: [
    "Memória para corpos",
    "Quantos megabytes de corpos JSON podem estar em andamento ao mesmo tempo. As demais solicitações esperam.",
  ],
  CLIENT_ADDRESS_HEADER: [
    "Cabeçalho com o endereço de quem chama",
    "Definido por quem recebe as conexões, para limites por endereço. Em uma só máquina, o inicializador o define; na edge, a Cloudflare.",
  ],
  PUBLIC_ORIGIN_HEADER: [
    "Cabeçalho com o endereço público",
    "Definido por quem recebe as conexões, com o esquema e o host como as pessoas os veem. Em uma só máquina, o inicializador o define, se um proxy de TRUSTED_PROXIES os informa. WEBUI_URL prevalece.",
  ],
  BASE_PATH: [
    "Caminho base",
    "Tudo do Parley fica abaixo deste caminho, como /parley: páginas, API, sockets, links e cookies. O proxy repassa o caminho inteiro.",
  ],
  ENV: ["Modo", "dev oferece a documentação da API em /docs e /openapi.json."],
  PROCESS_CONFINEMENT: [
    "Confinamento de processos",
    "O que o sistema tira dos processos de plugins, documentos e senhas. Em uma só máquina, o inicializador o define. walls: os privilégios, os arquivos do serviço e, onde nada é chamado, a rede. privileges: só os privilégios. Vazio: a plataforma decide.",
  ],
  WEBUI_NAME: ["Nome", "Mostrado na página de login e nos títulos das abas."],
  WEBUI_URL: [
    "Endereço público",
    "O endereço em que as pessoas acessam o serviço. Se for https, o cookie da sessão só é enviado por https.",
  ],
  OUTBOUND_ALLOWED_PRIVATE_HOSTS: [
    "Endereços privados permitidos",
    "host ou host:port, separados por vírgulas. Pessoas e plugins podem chamá-los embora sejam privados.",
  ],
  OUTSIDE_PICTURES: [
    "Imagens de outros sites",
    "Imagens em textos que ficam em outros sites. O serviço as busca, por isso esses sites não sabem quem lê. ask: nada é buscado antes de quem lê clicar. show: quem fizer um modelo escrever uma imagem dessas fica sabendo o que há no endereço dela. link: nada é buscado.",
  ],
  ENABLE_SIGNUP: [
    "Permitir cadastro",
    "Quando desativado, só administradores e o provedor de identidade podem criar contas.",
  ],
  DEFAULT_USER_ROLE: ["Função de novas pessoas", "Pessoas em espera precisam esperar até um administrador aprová-las."],
  MAX_WAITING_ACCOUNTS: [
    "Contas em espera",
    "Quando há tantas pessoas à espera de aprovação, ninguém mais pode se cadastrar. Uma mesma rede recebe um quarto das vagas. Elas esperam no máximo 7 dias.",
  ],
  MAX_NETWORK_SIGNUPS: [
    "Cadastros de uma mesma rede",
    "Quantas pessoas podem se cadastrar de uma vez a partir de uma mesma rede (IPv4 /24, IPv6 /64), e outras tantas a cada hora depois disso. 0: sem limite.",
  ],
  ENABLE_USER_STATUS: [
    "Mensagens de status",
    "As pessoas podem dizer o que estão fazendo no momento, com um emoji. A organização delas vê.",
  ],
  SECOND_FACTOR: [
    "Quem precisa de um segundo fator",
    "Entre as pessoas que entram com senha. Elas o configuram antes de qualquer outra coisa. Administradores são os do serviço e os das organizações. Uma organização pode exigi-lo de todas as suas pessoas. Login único e chaves de API são isentos.",
  ],
  ENABLE_PASSKEYS: [
    "Chaves de acesso",
    "Pessoas com senha podem adicionar chaves de acesso, para entrar sem a senha e como segundo fator. Quando desativado, as chaves de acesso existentes não permitem entrar nem contam como segundo fator.",
  ],
  PASSWORD_COST: [
    "Custo do hash de senhas",
    "O trabalho necessário para verificar uma senha, ou para adivinhá-la com um banco de dados roubado: N do scrypt como potência de dois. 14 usa 16 MB e cerca de 0,2 s; 15 e 16 usam 32 e 64 MB, e cerca de 0,35 s. Abaixo de 14 só para testes. As senhas passam ao novo valor na próxima entrada.",
  ],
  JWT_EXPIRES_IN: ["Duração da sessão", "Um número com uma unidade, como 12h ou 4w. -1: as sessões nunca expiram."],
  SHOW_ADMIN_DETAILS: [
    "Mostrar o contato de um administrador",
    "Pessoas que esperam aprovação veem o nome e o endereço de um administrador.",
  ],
  ADMIN_EMAIL: [
    "Endereço de contato",
    "Mostrado a pessoas que esperam aprovação. Se vazio, o endereço do primeiro administrador.",
  ],
  PENDING_USER_OVERLAY_TITLE: ["Página de espera: título", "Se vazio, o título embutido."],
  PENDING_USER_OVERLAY_CONTENT: ["Página de espera: texto", "Se vazio, o texto embutido."],
  MAX_PERSON_STORAGE: [
    "Armazenamento de uma pessoa (MB)",
    "Quanto os arquivos de uma pessoa podem ocupar ao todo. 0: sem limite.",
  ],
  MAX_ORGANIZATION_STORAGE: [
    "Armazenamento de uma organização (MB)",
    "Quanto os arquivos de todas as pessoas de uma organização podem ocupar juntos. 0: sem limite. Uma organização pode ter um limite próprio.",
  ],
  MAX_SERVICE_STORAGE: [
    "Armazenamento do serviço (MB)",
    "Quanto todos os arquivos podem ocupar juntos. 0: sem limite. Defina menos que o tamanho do disco.",
  ],
  MAX_FILES: ["Arquivos de uma pessoa", "Quantos arquivos uma pessoa pode ter. 0: sem limite."],
  MAX_CHATS: ["Chats de uma pessoa", "Quantos chats uma pessoa pode ter, incluindo os arquivados. 0: sem limite."],
  MAX_WAITING_JOBS: [
    "Tarefas em espera de uma pessoa",
    "Quantos arquivos de uma pessoa podem esperar para ser lidos, e quantas respostas de modelos em canais podem estar em andamento. 0: sem limite.",
  ],
  RATE_LIMITS: [
    "Solicitações por minuto",
    "Limites como person.models=600, separados por ponto e vírgula. Quem: person, key (da API), organization ou address (uma rede, sem login). O quê: models, uploads, searches, reads, writes ou all. Sem uma entrada não há limite.",
  ],
  RETENTION_CHATS: [
    "Chats (dias)",
    "Dias após a última alteração, incluindo chats fixados e arquivados. 0: manter para sempre. Uma organização pode ter um período próprio.",
  ],
  RETENTION_FILES: [
    "Arquivos (dias)",
    "Dias após o envio ou a última alteração. Arquivos em uma base de conhecimento, um canal, um modelo ou um chat são mantidos enquanto estiverem ali. 0: manter para sempre. Uma organização pode ter um período próprio.",
  ],
  RETENTION_CHANNEL_MESSAGES: [
    "Mensagens de canais (dias)",
    "Dias após a publicação. 0: manter para sempre. Uma organização pode ter um período próprio.",
  ],
  RETENTION_LOGS: [
    "Registros (dias)",
    "Chamadas de modelos, registro de auditoria, entregas de webhooks e respostas de API armazenadas. Alguns já têm um período mais curto. 0: manter para sempre. Uma organização pode ter um período próprio.",
  ],
  MIN_FREE_DISK: [
    "Espaço livre em disco (MB)",
    "Com menos espaço no disco da pasta de dados, envios são recusados com 507 e os administradores são avisados. 0: nunca. Só em uma única máquina.",
  ],
  ENABLE_API_KEYS: [
    "Ativar chaves de API",
    "As pessoas podem criar chaves para scripts. Todas, exceto administradores, precisam também da permissão “Usar chaves de API”. Quando desativado, nenhuma chave funciona.",
  ],
  ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: [
    "Restringir endpoints das chaves de API",
    "As chaves só podem chamar os endpoints listados abaixo. Se a lista estiver vazia, não podem chamar nenhum.",
  ],
  API_KEYS_ALLOWED_ENDPOINTS: [
    "Endpoints permitidos",
    "Separados por vírgulas, por exemplo: GET /api/models, /api/chat/completions, /api/v1/users/:id/info, /api/v1/chats/*. Sem método, todos os métodos são permitidos. /* inclui tudo abaixo.",
  ],
  CUSTOM_API_KEY_HEADER: [
    "Cabeçalho da chave de API",
    "O cabeçalho para a chave quando um proxy usa o próprio Authorization.",
  ],
  USER_PERMISSIONS_FEATURES_API_KEYS: [
    "Chaves de API para todos",
    "Prevalece sobre esta permissão padrão. Se não estiver definido, valem as permissões padrão da página de grupos.",
  ],
  OPENID_PROVIDER_URL: [
    "Provedor de identidade",
    "O emissor ou o endereço do documento de descoberta (https; http só para loopback).",
  ],
  OAUTH_CLIENT_ID: ["ID do cliente", "O ID deste serviço no provedor."],
  OAUTH_CLIENT_SECRET: ["Segredo do cliente", "Deixe vazio para um cliente público."],
  OAUTH_PROVIDER_NAME: ["Nome do provedor", "Mostrado no botão da página de login."],
  OAUTH_SCOPES: ["Escopos", "Escopos a solicitar, separados por espaços; openid precisa estar entre eles."],
  OPENID_REDIRECT_URI: [
    "Endereço de retorno",
    "Como registrado no provedor. Se vazio: <endereço público>/oauth/oidc/login/callback.",
  ],
  GOOGLE_CLIENT_ID: ["Google: ID do cliente", "Adiciona o Google como provedor."],
  GOOGLE_CLIENT_SECRET: ["Google: segredo do cliente", "O segredo que o Google emitiu."],
  GOOGLE_REDIRECT_URI: ["Google: endereço de retorno", "Se vazio: <endereço público>/oauth/google/login/callback."],
  MICROSOFT_CLIENT_ID: ["Microsoft: ID do cliente", "Adiciona o Microsoft Entra ID como provedor."],
  MICROSOFT_CLIENT_SECRET: ["Microsoft: segredo do cliente", "O segredo que o Entra ID emitiu."],
  MICROSOFT_CLIENT_TENANT_ID: ["Microsoft: locatário", "O ID ou o domínio do seu locatário."],
  MICROSOFT_REDIRECT_URI: [
    "Microsoft: endereço de retorno",
    "Se vazio: <endereço público>/oauth/microsoft/login/callback.",
  ],
  ENABLE_OAUTH_SIGNUP: [
    "Cadastro por login único",
    "As pessoas recebem uma conta quando entram pelo provedor pela primeira vez.",
  ],
  OAUTH_MERGE_ACCOUNTS_BY_EMAIL: [
    "Unir por e-mail",
    "Quem entra com o endereço verificado de uma conta existente recebe essa conta. As sessões dela são encerradas, e a senha e as chaves de API dela são excluídas (administradores mantêm as suas).",
  ],
  OAUTH_ALLOWED_DOMAINS: ["Domínios de e-mail", "Domínios que podem entrar, separados por vírgulas. * permite todos."],
  OAUTH_SUB_CLAIM: [
    "Claim: identidade",
    "O ID permanente de uma pessoa no provedor. Com SCIM, precisa ser igual a externalId.",
  ],
  OAUTH_USERNAME_CLAIM: ["Claim: nome", "O claim com o nome da pessoa."],
  OAUTH_EMAIL_CLAIM: ["Claim: e-mail", "O claim com o endereço de e-mail."],
  OAUTH_PICTURE_CLAIM: ["Claim: imagem", "O claim com a URL da imagem. Se vazio, nenhuma imagem é usada."],
  OAUTH_UPDATE_NAME_ON_LOGIN: ["Atualizar o nome no login", "O nome vindo do provedor substitui o armazenado."],
  OAUTH_UPDATE_EMAIL_ON_LOGIN: [
    "Atualizar o endereço de e-mail no login",
    "O endereço verificado vindo do provedor substitui o armazenado, a não ser que outra conta o tenha.",
  ],
  OAUTH_UPDATE_PICTURE_ON_LOGIN: ["Atualizar a imagem no login", "A imagem vinda do provedor substitui a armazenada."],
  ENABLE_OAUTH_ROLE_MANAGEMENT: [
    "Funções vêm do provedor",
    "O claim de funções decide a cada login. Quem não tem nenhuma das funções abaixo não pode entrar.",
  ],
  OAUTH_ROLES_CLAIM: ["Claim: funções", "Use pontos para claims aninhados."],
  OAUTH_ALLOWED_ROLES: ["Funções que podem entrar", "Os nomes no provedor, separados por vírgulas."],
  OAUTH_ADMIN_ROLES: ["Funções de administrador", "Os nomes no provedor, separados por vírgulas."],
  ENABLE_OAUTH_GROUP_MANAGEMENT: [
    "Grupos vêm do provedor",
    "A cada login, as pessoas entram em grupos e saem deles como diz o claim de grupos.",
  ],
  OAUTH_GROUPS_CLAIM: ["Claim: grupos", "Use pontos para claims aninhados."],
  ENABLE_OAUTH_GROUP_CREATION: ["Criar grupos que faltam", "Cria grupos que estão no claim, mas ainda não existem."],
  OAUTH_BLOCKED_GROUPS: ["Grupos a ignorar", "Nomes, separados por vírgulas. * corresponde a qualquer coisa."],
  OAUTH_CODE_CHALLENGE_METHOD: ["Método PKCE", "Como o code challenge é derivado. Ele é sempre enviado."],
  OAUTH_TOKEN_ENDPOINT_AUTH_METHOD: [
    "Como o segredo do cliente é enviado",
    "Auto usa um método que o provedor aceita.",
  ],
  OAUTH_TIMEOUT: ["Tempo limite do provedor (segundos)", "Para cada solicitação ao provedor."],
  OAUTH_AUTO_REDIRECT: ["Redirecionar ao provedor imediatamente", "Só quando há exatamente um provedor."],
  ENABLE_OAUTH_BACKCHANNEL_LOGOUT: [
    "Logout por back-channel",
    "O provedor pode encerrar sessões por /oauth/backchannel-logout.",
  ],
  OPENID_END_SESSION_ENDPOINT: [
    "Endereço de logout do provedor",
    "Onde a saída continua. Se vazio, é usado o endereço do documento de descoberta.",
  ],
  WEBUI_AUTH_SIGNOUT_REDIRECT_URL: [
    "Depois de sair",
    "Para onde as pessoas são levadas depois de sair. Se o provedor também encerrar a sessão delas, registre este endereço nele.",
  ],
  ENABLE_LOGIN_FORM: [
    "Mostrar o formulário de senha",
    "Mostra e-mail e senha na página de login. Quando desativado, só os botões dos provedores são mostrados.",
  ],
  ENABLE_PASSWORD_AUTH: ["Senhas", "Permite entrar e se cadastrar com uma senha."],
  SCIM_ENABLED: [
    "Provisionamento (SCIM)",
    "Um provedor de identidade pode criar, alterar e desativar contas e grupos.",
  ],
  SCIM_TOKEN: [
    "Token do provedor de identidade",
    "Um texto longo e aleatório que o provedor de identidade envia como token Bearer.",
  ],
  SCIM_TOKEN_PREVIOUS: ["Token anterior", "Também é aceito, até o provedor de identidade ter o novo token."],
  SCIM_AUTH_PROVIDER: [
    "Provedor de login das pessoas provisionadas",
    "ID do provedor de login a que externalId pertence, como oidc ou microsoft.",
  ],
  SCIM_IP_ALLOWLIST: [
    "Endereços permitidos",
    "Endereços ou intervalos que podem provisionar, separados por vírgulas. Se vazio, todos os endereços podem.",
  ],
  SCIM_IP_HEADER: [
    "Cabeçalho com o endereço de quem chama",
    "O cabeçalho em que o proxy envia o endereço de quem chama: CF-Connecting-IP na Cloudflare; nos outros casos, muitas vezes X-Real-IP ou X-Forwarded-For.",
  ],
  DEFAULT_MODEL_VISIBILITY: [
    "Acesso a modelos sem compartilhamento",
    "Quem pode ver modelos que não são compartilhados com ninguém em particular.",
  ],
  DEFAULT_MODELS: [
    "Modelo padrão",
    "IDs de modelos, separados por vírgulas. Novos chats usam o primeiro que a pessoa pode ver.",
  ],
  DEFAULT_PINNED_MODELS: [
    "Modelos fixados",
    "IDs de modelos, separados por vírgulas. Eles vêm primeiro na lista de pessoas que não fixaram nenhum.",
  ],
  CONNECTION_OPTIONS: [
    "Opções para conexões do ambiente",
    'Um objeto JSON como {"env-openai-0": {"quirks": {"rename": {"max_tokens": "max_completion_tokens"}}, "policy": {"max_concurrent": 8}}}, com os IDs das conexões como chaves.',
  ],
  UPSTREAM_TIMEOUT: [
    "Tempo limite do provedor (segundos)",
    "Quanto tempo um provedor pode ficar sem enviar dados, antes de a resposta começar e durante ela.",
  ],
  OPENAI_API_BASE_URLS: ["Conexões compatíveis com OpenAI", "Endereços base, separados por ponto e vírgula."],
  OPENAI_API_KEYS: [
    "Chaves das conexões compatíveis com OpenAI",
    "Na mesma ordem dos endereços, separadas por ponto e vírgula.",
  ],
  ANTHROPIC_API_BASE_URLS: ["Conexões com uma Messages API", "Endereços base, separados por ponto e vírgula."],
  ANTHROPIC_API_KEYS: [
    "Chaves das conexões com uma Messages API",
    "Na mesma ordem dos endereços, separadas por ponto e vírgula.",
  ],
  LOCALMODEL_BASE_URLS: ["Runtimes locais", "Endereços base, separados por ponto e vírgula."],
  ENABLE_DIRECT_CONNECTIONS: [
    "Conexões próprias",
    "Pessoas com a permissão features.direct_connections conectam provedores próprios, com chaves próprias, só para si.",
  ],
  ENABLE_PLUGINS: [
    "Executar plugins",
    "Quando desativado, nenhuma função e nenhuma ferramenta de plugin é executada. Os plugins armazenados são mantidos.",
  ],
  SAFE_MODE: [
    "Modo seguro",
    "Todas as funções são tratadas como desativadas, mesmo que elas próprias estejam ativadas.",
  ],
  RUNNERS: [
    "Executores nativos",
    "Endereços como http://runner:8710, separados por vírgulas. Administradores podem deixar plugins Python executarem ali, fora da sandbox.",
  ],
  RUNNER_TOKEN: ["Token dos executores nativos", "O mesmo que o RUNNER_TOKEN dos executores."],
  PLUGIN_TIMEOUT: [
    "Tempo limite de uma chamada de plugin (segundos)",
    "O tempo de espera por respostas de pessoas não conta.",
  ],
  PLUGIN_TASK_TIMEOUT: [
    "Tarefas depois de uma resposta (segundos)",
    "Por quanto tempo tarefas e threads que um plugin Python deixa em execução podem continuar depois que a função dele respondeu. Elas contam para o tempo limite da chamada. 0: terminam com a resposta.",
  ],
  PLUGIN_PACKAGE_REGISTRIES: [
    "Registros de pacotes Python",
    "Endereços de registros de onde pacotes para plugins podem ser baixados, como https://pypi.org/simple/. O primeiro que conhece um nome decide. Se vazio, nada é baixado, e os wheels são enviados.",
  ],
  PLUGIN_INTERPRETER_PACKAGES: [
    "Pacotes feitos para o interpretador",
    "Endereço da pasta de onde pacotes como numpy, pandas, pillow e lxml podem ser baixados: https://cdn.jsdelivr.net/pyodide/v314.0.7/full/, ou uma cópia dela. Só são aceitos arquivos com o SHA-256 que consta no arquivo de bloqueio do interpretador. Se vazio, os pacotes são enviados.",
  ],
  PLUGIN_DATABASE_MAX_SIZE: [
    "Bancos de dados de um plugin (MB)",
    "Quanto os arquivos SQLite de um plugin podem ocupar juntos, compactados. Ferramentas de pessoas que não são administradores têm essa quantidade para cada pessoa que as usa. 0: os plugins não guardam bancos de dados.",
  ],
  OUTLET_FILTER_MODE: [
    "Filtros outlet para chamadas de API",
    "stable: só /api/chat/completed os executa. prerelease: eles também são executados no fim de uma chamada de API que é armazenada em um chat; a resposta por HTTP nunca muda.",
  ],
  WEBSOCKET_EVENT_CALLER_TIMEOUT: [
    "Tempo limite de perguntas a pessoas (segundos)",
    "Quanto tempo um plugin espera pela resposta de uma pessoa.",
  ],
  ENABLE_EXTERNAL_EXECUTE: [
    "Código de ferramentas externas no navegador",
    "Se o endpoint de eventos aceita eventos execute. O código é executado em um quadro sem acesso à sessão.",
  ],
  ENABLE_FORWARD_USER_INFO_HEADERS: [
    "Enviar dados da pessoa a servidores de ferramentas",
    "Adiciona o ID do chat, o ID da mensagem e dados da pessoa às chamadas de ferramentas externas.",
  ],
  FORWARD_USER_INFO_HEADER_JWT_SECRET: [
    "Segredo para assinar os dados da pessoa",
    "Se definido, os dados da pessoa são enviados como um token assinado (HS256) em vez de cabeçalhos simples.",
  ],
  TOOL_CALL_TURNS: [
    "Rodadas de chamadas de ferramentas por resposta",
    "Depois de tantas rodadas, o modelo precisa responder sem ferramentas.",
  ],
  TOOL_RESULT_LIMIT: [
    "Tamanho máximo de um resultado de ferramenta (caracteres)",
    "Resultados mais longos são cortados para o modelo, com uma nota, e armazenados por inteiro em um arquivo.",
  ],
  RAG_FILE_MAX_SIZE: ["Maior arquivo (MB)", "Arquivos maiores são recusados durante o envio."],
  RAG_FILE_MAX_COUNT: ["Arquivos por mensagem", "Quantos arquivos podem ser anexados a uma mensagem."],
  RAG_ALLOWED_FILE_EXTENSIONS: [
    "Tipos de arquivo permitidos",
    "Extensões de arquivo que podem ser enviadas, como pdf ou docx. Se vazio, todas são permitidas.",
  ],
  FILE_PROCESSING_TIMEOUT: [
    "Tempo limite de processamento (segundos)",
    "Um arquivo que não estiver pesquisável até lá é marcado como com falha.",
  ],
  CONTENT_EXTRACTION_ENGINE: [
    "Leitor de documentos",
    "external: o serviço abaixo lê todos os arquivos. Caso contrário, ele lê só o que o Parley não consegue ler.",
  ],
  EXTERNAL_DOCUMENT_LOADER_URL: [
    "Endereço de um leitor externo",
    "Recebe o arquivo como PUT {address}/process e devolve page_content. Se vazio, nenhum leitor externo é usado.",
  ],
  EXTERNAL_DOCUMENT_LOADER_API_KEY: ["Chave do leitor externo", "Enviada como token Bearer."],
  RAG_VISION_MODEL: [
    "Modelo que lê imagens",
    "O ID de um modelo com visão. Ele lê imagens e páginas digitalizadas. Sem ele, elas não têm texto.",
  ],
  ENABLE_KNOWLEDGE_FILE_RETENTION: [
    "Manter arquivos removidos",
    "Quando desativado, remover um arquivo próprio de uma base de conhecimento também o exclui, a não ser que seja usado em outro lugar; o mesmo vale ao excluir uma base de conhecimento. Uma solicitação pode mudar isso.",
  ],
  RAG_EMBEDDING_MODEL: [
    "Modelo de embeddings",
    "O ID de um modelo que transforma trechos em vetores. Se vazio, a busca usa só palavras.",
  ],
  CHUNK_SIZE: ["Tamanho dos trechos (caracteres)", "Vale para arquivos processados a partir de agora."],
  CHUNK_OVERLAP: [
    "Sobreposição dos trechos (caracteres)",
    "Quanto do trecho anterior é repetido, no máximo metade do tamanho.",
  ],
  RAG_EMBEDDING_BATCH_SIZE: ["Trechos por chamada", "Quantos trechos são enviados de uma vez ao modelo de embeddings."],
  RAG_EMBEDDING_CONTENT_PREFIX: [
    "Prefixo dos trechos",
    "O prefixo que o modelo de embeddings espera antes do texto de um documento, como “passage: ”.",
  ],
  RAG_EMBEDDING_QUERY_PREFIX: [
    "Prefixo das consultas",
    "O prefixo que o modelo de embeddings espera antes de uma pergunta, como “query: ”.",
  ],
  RAG_TOP_K: ["Trechos por resposta", "Quantos dos melhores trechos o modelo recebe."],
  RAG_RELEVANCE_THRESHOLD: [
    "Semelhança mínima",
    "De 0 a 1. Trechos encontrados só pelo significado ficam de fora se estiverem abaixo disto.",
  ],
  RAG_HYBRID_BM25_WEIGHT: [
    "Peso da busca por palavras",
    "1: só palavras. 0: só significado, se houver um modelo de embeddings.",
  ],
  RAG_RERANKING_URL: [
    "Endereço do reranker",
    "Recebe {model, query, documents, top_n} e devolve resultados com index e relevance_score. Se vazio, nenhum reranker é usado.",
  ],
  RAG_RERANKING_MODEL: ["Modelo do reranker", "Enviado ao reranker como modelo."],
  RAG_RERANKING_API_KEY: ["Chave do reranker", "Enviada como token Bearer."],
  RAG_CONTEXT_TOKENS: ["Limite de trechos (tokens)", "O limite estimado para todos os trechos de uma resposta juntos."],
  RAG_TEMPLATE: ["Prompt para trechos", "Use {{CONTEXT}} e {{QUERY}}. Se vazio, é usado o prompt do próprio Parley."],
  ENABLE_RETRIEVAL_QUERY_GENERATION: [
    "Consultas por um modelo",
    "O modelo para títulos, tags e resumos primeiro transforma a conversa em consultas de busca. Melhor para conversas longas, mas mais lento.",
  ],
  ENABLE_WEB_SEARCH: ["Busca na web", "Pessoas com a permissão podem fazer buscar na web para uma resposta."],
  WEB_SEARCH_ENGINE: ["Provedor", "Quem busca na web. Recebe as consultas, e nada mais de um chat."],
  SEARXNG_QUERY_URL: [
    "SearXNG: endereço",
    "Como http://localhost:8888/search. As configurações dele precisam permitir o formato json.",
  ],
  BRAVE_SEARCH_API_KEY: ["Brave: chave", "É armazenada criptografada e nunca mais é mostrada."],
  TAVILY_API_KEY: ["Tavily: chave", "É armazenada criptografada e nunca mais é mostrada."],
  GOOGLE_PSE_API_KEY: ["Google: chave", "É armazenada criptografada e nunca mais é mostrada."],
  GOOGLE_PSE_ENGINE_ID: ["Google: ID do mecanismo de busca", "O ID (cx) de um Programmable Search Engine."],
  EXTERNAL_WEB_SEARCH_URL: [
    "Seu próprio provedor: endereço",
    "Responde com JSON. {query} e {count} no endereço são substituídos, e ele é chamado com GET. Sem {query}, ele recebe query e count como JSON com POST.",
  ],
  EXTERNAL_WEB_SEARCH_HEADER: [
    "Seu próprio provedor: cabeçalho",
    "Nome: valor. {key} representa a chave. Não é enviado sem uma chave.",
  ],
  EXTERNAL_WEB_SEARCH_API_KEY: ["Seu próprio provedor: chave", "É armazenada criptografada e nunca mais é mostrada."],
  EXTERNAL_WEB_SEARCH_RESULTS: [
    "Seu próprio provedor: lista de resultados",
    "Onde a lista está na resposta, como data.items. Vazio: a resposta é a lista.",
  ],
  EXTERNAL_WEB_SEARCH_ADDRESS: [
    "Seu próprio provedor: endereço de um resultado",
    "Onde ele está em um resultado, como url ou page.href.",
  ],
  EXTERNAL_WEB_SEARCH_TITLE: ["Seu próprio provedor: título de um resultado", "Onde ele está em um resultado."],
  EXTERNAL_WEB_SEARCH_SNIPPET: [
    "Seu próprio provedor: texto de um resultado",
    "Onde o texto curto está em um resultado.",
  ],
  WEB_SEARCH_MCP_SERVER: [
    "MCP: servidor",
    "O ID de um servidor de ferramentas. Só pessoas que podem usar o servidor podem buscar.",
  ],
  WEB_SEARCH_MCP_TOOL: ["MCP: ferramenta", "O nome da ferramenta dele que busca. Ela recebe a consulta como query."],
  WEB_SEARCH_RESULT_COUNT: ["Resultados", "Quantos resultados são pedidos e lidos para cada resposta."],
  WEB_SEARCH_DOMAIN_FILTER_LIST: [
    "Domínios",
    "Um domínio como example.org permite só ele e o que está abaixo dele. Com ! antes, ele é bloqueado. Se vazio, todos são permitidos.",
  ],
  ENABLE_SEARCH_QUERY_GENERATION: [
    "Consultas por um modelo",
    "O modelo para títulos, tags e resumos primeiro transforma a conversa em consultas. Caso contrário, são enviadas as palavras da pergunta.",
  ],
  BYPASS_WEB_SEARCH_WEB_LOADER: [
    "Só textos curtos",
    "As páginas não são abertas. O modelo recebe os textos curtos dos resultados.",
  ],
  WEB_SEARCH_CONTEXT_TOKENS: [
    "Limite de trechos (tokens)",
    "O limite estimado para todos os trechos de páginas em uma resposta.",
  ],
  WEB_LOADER_TIMEOUT: ["Tempo para uma página (segundos)", "Uma página que não chegar até lá fica de fora."],
  ENABLE_IMAGE_GENERATION: ["Imagens por modelos", "Pessoas com a permissão podem pedir que imagens sejam criadas."],
  IMAGE_GENERATION_CONNECTION: ["Conexão para imagens", "Uma conexão que tem /images/generations da OpenAI."],
  IMAGE_GENERATION_MODEL: ["Modelo para imagens", "Como o provedor o chama, por exemplo gpt-image-1."],
  IMAGE_SIZE: ["Tamanho", "Largura e altura em pixels, como 1024x1024, ou auto. Se vazio, o provedor decide."],
  IMAGE_STEPS: ["Passos", "Para provedores que aceitam passos, como LocalAI. 0: não é enviado."],
  ENABLE_IMAGE_PROMPT_GENERATION: [
    "Descrições por um modelo",
    "O modelo para títulos, tags e resumos primeiro transforma a conversa em uma descrição. Caso contrário, são enviadas as palavras da pergunta.",
  ],
  ENABLE_IMAGE_EDIT: ["Alterar imagens", "As imagens de um chat podem ser alteradas, por /images/edits do provedor."],
  IMAGE_EDIT_MODEL: ["Modelo para alterações", "Se vazio, o modelo para imagens."],
  AUDIO_STT_ENGINE: [
    "Ditado",
    "O que transcreve o que as pessoas dizem: o navegador de cada pessoa, que pode enviá-lo ao fabricante dele, uma conexão ou nada.",
  ],
  AUDIO_STT_CONNECTION: ["Conexão para ditado", "Uma conexão que tem /audio/transcriptions da OpenAI."],
  AUDIO_STT_MODEL: ["Modelo para ditado", "Como o provedor o chama."],
  AUDIO_STT_MAX_SIZE: ["Maior gravação (MB)", "Gravações maiores são recusadas enquanto chegam."],
  AUDIO_TTS_ENGINE: [
    "Leitura em voz alta",
    "O que lê respostas em voz alta: o navegador de cada pessoa, uma conexão ou nada.",
  ],
  AUDIO_TTS_CONNECTION: ["Conexão para leitura em voz alta", "Uma conexão que tem /audio/speech da OpenAI."],
  AUDIO_TTS_MODEL: ["Modelo para leitura em voz alta", "Como o provedor o chama."],
  AUDIO_TTS_VOICE: ["Voz", "A voz para pessoas que não escolheram nenhuma."],
  AUDIO_TTS_VOICES: ["Vozes", "As vozes que as pessoas podem escolher, como o provedor as chama."],
  USAGE_RECORD_DAYS: [
    "Manter chamadas individuais (dias)",
    "Qual pessoa chamou qual modelo, quando e por quanto tempo. Os totais por dia são mantidos para sempre.",
  ],
  ENABLE_PUBLIC_ACTIVE_USERS_COUNT: [
    "Mostrar pessoas ativas a todos",
    "GET /api/usage: quantas pessoas estão ativas, e quais modelos estão em uso. Quando desativado, só para administradores.",
  ],
  ENABLE_CHANNELS: [
    "Canais",
    "Salas em que pessoas, bots e modelos escrevem uns aos outros. Quando desativado, não é possível ler canais nem escrever neles.",
  ],
  CHANNEL_CONTEXT_MESSAGES: [
    "Contexto de um modelo (mensagens)",
    "Quantas das últimas mensagens um modelo vê quando alguém lhe pergunta algo em um canal ou tópico, incluindo a pergunta.",
  ],
  ENABLE_CHANNEL_WEBHOOK_NAMES: [
    "Nomes e imagens em publicações de webhooks",
    "Uma publicação pode trazer um nome e uma imagem próprios. Eles são mostrados com o nome do webhook. Quando desativado, são deixados de fora.",
  ],
  CHANNEL_WEBHOOK_RATE: [
    "Limite de webhooks (publicações por minuto)",
    "O ritmo contínuo de cada webhook de canal. Publicações mais rápidas recebem 429.",
  ],
  CHANNEL_WEBHOOK_BURST: [
    "Rajada de webhook (publicações)",
    "Quantas publicações um webhook ocioso pode enviar sem pausa.",
  ],
  WEBHOOK_URL: [
    "URL do webhook",
    "Recebe uma mensagem para cada nova pessoa. As entregas e o segredo de assinatura estão em Webhooks.",
  ],
  ENABLE_USER_WEBHOOKS: [
    "Webhooks de usuários",
    "As pessoas podem definir um webhook, que é chamado quando uma resposta termina enquanto elas estão ausentes.",
  ],
  SMTP_HOST: ["Servidor de e-mail", "Nome de host do servidor SMTP. Se vazio, nenhum e-mail é enviado."],
  SMTP_PORT: ["Porta", "Normalmente 587 com STARTTLS, 465 com TLS."],
  SMTP_SECURITY: [
    "Criptografia",
    "tls: criptografado desde o início. starttls: criptografado antes de algo secreto ser transmitido; senão, nada é enviado. none: para um servidor na mesma máquina ou na mesma rede.",
  ],
  SMTP_USER: ["Nome de usuário", "Se vazio, o Parley não faz login no servidor de e-mail."],
  SMTP_PASSWORD: ["Senha", "Prevalece sobre a senha inserida em Administração > E-mail."],
  SMTP_FROM: [
    "Remetente",
    "Como parley@example.org, ou Parley <parley@example.org>. Sem remetente, nenhum e-mail é enviado.",
  ],
  METRICS_TOKEN: [
    "Token para métricas",
    "Um texto aleatório de pelo menos 16 caracteres que o Prometheus envia a /metrics como token Bearer. Sem ele, /metrics responde 404.",
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    "Coletor",
    "O endereço de um coletor OpenTelemetry, como http://127.0.0.1:4318. Os rastros vão para /v1/traces abaixo dele. Sem ele, não há rastros.",
  ],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: [
    "Coletor de rastros",
    "O endereço completo para rastros, com o caminho. Ele prevalece sobre o outro.",
  ],
  OTEL_EXPORTER_OTLP_HEADERS: [
    "Cabeçalhos para o coletor",
    "name=value, separados por vírgulas: uma chave, por exemplo. Os valores podem ser escapados com %.",
  ],
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: [
    "Cabeçalhos para rastros",
    "O mesmo, só para rastros. Um cabeçalho de mesmo nome prevalece sobre o outro.",
  ],
  OTEL_EXPORTER_OTLP_PROTOCOL: [
    "Protocolo do coletor",
    "O Parley envia JSON por HTTP, que todo coletor aceita na porta HTTP dele (4318).",
  ],
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: ["Protocolo para rastros", "O mesmo, só para rastros."],
  OTEL_SERVICE_NAME: ["Nome nos rastros", "O nome deste serviço nos rastros."],
  OTEL_RESOURCE_ATTRIBUTES: [
    "Atributos do serviço",
    "name=value, separados por vírgulas, como deployment.environment.name=staging. Eles estão em todos os rastros.",
  ],
  OTEL_TRACES_SAMPLER: [
    "Quais rastros são gravados",
    "parentbased: vale o que um traceparent diz, e o resto só se não houver um.",
  ],
  OTEL_TRACES_SAMPLER_ARG: [
    "Parcela de rastros",
    "De 0 a 1, como 0.1: quantos rastros os amostradores com traceidratio gravam.",
  ],
  OTEL_SDK_DISABLED: ["Sem rastros", "Desativa os rastros, não importa o que mais esteja definido."],
  TRACEPARENT_TO_PROVIDERS: [
    "Provedores conhecem o rastro",
    "As chamadas de modelos levam o cabeçalho traceparent, para que um provedor seu possa acrescentar algo ao rastro.",
  ],
  ENABLE_TITLE_GENERATION: ["Gerar títulos", "Um modelo escreve um título para cada novo chat em segundo plano."],
  ENABLE_TAGS_GENERATION: [
    "Gerar tags",
    "Um modelo escolhe tags para cada novo chat em segundo plano, o que custa mais uma chamada.",
  ],
  TASK_MODEL: ["Modelo para títulos, tags e resumos", "Um ID de modelo. Se vazio, o modelo do chat."],
  ENABLE_CONTEXT_COMPACTION: [
    "Encurtar conversas longas",
    "Quando uma conversa na página da web se aproxima do fim do contexto do modelo, um modelo resume o começo dela. Todas as mensagens são mantidas. Chamadas de API não mudam.",
  ],
  CONTEXT_COMPACTION_SHARE: [
    "Encurtar a partir de (porcentagem do contexto)",
    "Até onde o contexto do modelo pode encher antes de uma conversa ser encurtada.",
  ],
  DEFAULT_PROMPT_SUGGESTIONS: [
    "Perguntas sugeridas",
    "Perguntas que novos chats oferecem, separadas por ponto e vírgula, quando o modelo não sugere nenhuma.",
  ],
  MAX_CHAT_MESSAGES: [
    "Mensagens em um chat",
    "O máximo de mensagens que um chat pode ter. Salvar ou importar mais é recusado.",
  ],
  ENABLE_PREVIEWS: [
    "Prévias de respostas",
    "As pessoas podem abrir páginas, tabelas e diagramas das respostas ao lado do chat, em um quadro sem rede nem armazenamento.",
  ],
  ENABLE_CODE_EXECUTION: [
    "Executar código de respostas",
    "As pessoas podem executar Python e JavaScript das respostas. Python é executado em um processo isolado e sem rede.",
  ],
  ENABLE_CODE_INTERPRETER: [
    "Modelos podem executar código",
    "As pessoas podem permitir que modelos executem Python para uma resposta. Ele é executado nos mesmos processos isolados.",
  ],
  CODE_EXECUTION_TIMEOUT: ["Maior execução de código (segundos)", "Uma execução que demora mais é interrompida."],
  ENABLE_MEMORIES: [
    "Memórias",
    "O que as pessoas querem que os modelos lembrem sobre elas. Quando desativado, as memórias são mantidas, mas não podem ser lidas nem alteradas, e os modelos não as recebem.",
  ],
  MAX_MEMORIES: ["Memórias de uma pessoa", "Quantas memórias uma pessoa pode ter."],
  ENABLE_MESSAGE_RATING: [
    "Avaliações de respostas",
    "As pessoas podem avaliar respostas e dizer por quê. Quando desativado, as avaliações anteriores são mantidas, e as pessoas ainda podem excluir as suas.",
  ],
} satisfies SettingWords;
