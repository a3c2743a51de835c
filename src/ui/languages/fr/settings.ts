import type { SettingWords } from "../setting-words.ts";

export default {
  LOG_LEVEL: ["Niveau du journal", "Les lignes moins importantes ne sont pas écrites."],
  LOG_FORMAT: [
    "Format du journal",
    "Des lignes à lire telles quelles, ou un objet JSON par ligne. En périphérie (edge), c’est toujours du JSON.",
  ],
  ACCESS_LOG: [
    "Journal des requêtes",
    "Une ligne pour chaque requête traitée : méthode, route, état, durée, octets, ID de la requête, adresse de l’appelant et ID de la personne.",
  ],
  MAX_JSON_VALUES: [
    "Valeurs dans un corps",
    "Nombre de valeurs que peut contenir le corps JSON d’une requête ordinaire.",
  ],
  MAX_LARGE_JSON_VALUES: [
    "Valeurs dans un grand corps",
    "Idem pour les requêtes qui transportent des conversations : discussions, complétions et appels des moteurs locaux.",
  ],
  MAX_BODY_MEMORY: [
    "Mémoire pour les corps",
    "Mégaoctets de corps JSON qui peuvent être en cours de traitement en même temps. Les requêtes suivantes attendent.",
  ],
  CLIENT_ADDRESS_HEADER: [
    "En-tête avec l’adresse de l’appelant",
    "Défini par ce qui reçoit les connexions, pour les limites par adresse. Sur une seule machine, c’est le lanceur qui le définit ; en périphérie (edge), c’est Cloudflare.",
  ],
  PUBLIC_ORIGIN_HEADER: [
    "En-tête avec l’adresse publique",
    "Défini par ce qui reçoit les connexions, avec le schéma et l’hôte tels que les personnes les voient. Sur une seule machine, c’est le lanceur qui le définit, si un proxy de TRUSTED_PROXIES les indique. WEBUI_URL a priorité.",
  ],
  BASE_PATH: [
    "Chemin de base",
    "Tout Parley se trouve sous ce chemin, par exemple /parley : pages, API, sockets, liens et cookies. Le proxy transmet le chemin entier.",
  ],
  ENV: ["Mode", "dev fournit la documentation de l’API sur /docs et /openapi.json."],
  PROCESS_CONFINEMENT: [
    "Confinement des processus",
    "Ce que le système retire aux processus des plugins, des documents et des mots de passe. Sur une seule machine, c’est le lanceur qui le définit. walls: les privilèges, les fichiers du service et, là où rien n’est appelé, le réseau. privileges: les privilèges seulement. Vide : la plateforme décide.",
  ],
  WEBUI_NAME: ["Nom", "Affiché sur la page de connexion et dans les titres des onglets."],
  WEBUI_URL: [
    "Adresse publique",
    "L’adresse à laquelle les personnes accèdent au service. Si elle est en https, le cookie de session n’est envoyé que par https.",
  ],
  OUTBOUND_ALLOWED_PRIVATE_HOSTS: [
    "Adresses privées autorisées",
    "host ou host:port, séparés par des virgules. Les personnes et les plugins peuvent les appeler bien qu’elles soient privées.",
  ],
  OUTSIDE_PICTURES: [
    "Images d’autres sites",
    "Les images qui, dans les textes, se trouvent sur d’autres sites. Le service les récupère : ces sites n’apprennent donc pas qui lit. ask: rien n’est récupéré avant un clic. show: quiconque amène un modèle à écrire une telle image apprend ce que contient son adresse. link: rien n’est récupéré.",
  ],
  ENABLE_SIGNUP: [
    "Autoriser les inscriptions",
    "Si désactivé, seuls les administrateurs et le fournisseur d’identité peuvent créer des comptes.",
  ],
  DEFAULT_USER_ROLE: [
    "Rôle des nouvelles personnes",
    "Les personnes en attente doivent être approuvées par un administrateur.",
  ],
  MAX_WAITING_ACCOUNTS: [
    "Comptes en attente",
    "Quand autant de personnes attendent d’être approuvées, plus personne ne peut s’inscrire. Un même réseau dispose d’un quart des places. L’attente dure 7 jours au plus.",
  ],
  MAX_NETWORK_SIGNUPS: [
    "Inscriptions depuis un même réseau",
    "Nombre de personnes qui peuvent s’inscrire d’un coup depuis un même réseau (IPv4 /24, IPv6 /64), et autant chaque heure ensuite. 0 : sans limite.",
  ],
  ENABLE_USER_STATUS: [
    "Statuts",
    "Les personnes peuvent dire ce qu’elles font en ce moment, avec un emoji. Leur organisation le voit.",
  ],
  SECOND_FACTOR: [
    "À qui il faut un second facteur",
    "Parmi les personnes qui se connectent avec un mot de passe. Elles le configurent avant toute autre chose. Les administrateurs sont ceux du service et ceux des organisations. Une organisation peut l’exiger de tous ses membres. L’authentification unique et les clés API en sont dispensées.",
  ],
  ENABLE_PASSKEYS: [
    "Clés d’accès",
    "Les personnes qui ont un mot de passe peuvent ajouter des clés d’accès, pour se connecter sans mot de passe et comme second facteur. Si désactivé, les clés d’accès existantes ne permettent pas de se connecter et ne comptent pas comme second facteur.",
  ],
  PASSWORD_COST: [
    "Coût du hachage des mots de passe",
    "Le travail nécessaire pour vérifier un mot de passe, ou pour en deviner un dans une base de données volée : N de scrypt, en puissance de deux. 14 prend 16 Mo et environ 0,2 s ; 15 et 16 prennent 32 et 64 Mo, et environ 0,35 s. Moins de 14 seulement pour des tests. Les mots de passe prennent la nouvelle valeur à la prochaine connexion.",
  ],
  JWT_EXPIRES_IN: [
    "Durée des sessions",
    "Un nombre avec une unité, par exemple 12h ou 4w. -1 : les sessions n’expirent jamais.",
  ],
  SHOW_ADMIN_DETAILS: [
    "Afficher le contact d’un administrateur",
    "Les personnes en attente d’approbation voient le nom et l’adresse d’un administrateur.",
  ],
  ADMIN_EMAIL: [
    "Adresse de contact",
    "Affichée aux personnes en attente d’approbation. Si vide, l’adresse du premier administrateur.",
  ],
  PENDING_USER_OVERLAY_TITLE: ["Page d’attente : titre", "Si vide, le titre intégré."],
  PENDING_USER_OVERLAY_CONTENT: ["Page d’attente : texte", "Si vide, le texte intégré."],
  MAX_PERSON_STORAGE: [
    "Stockage d’une personne (Mo)",
    "L’espace que les fichiers d’une personne peuvent occuper en tout. 0 : sans limite.",
  ],
  MAX_ORGANIZATION_STORAGE: [
    "Stockage d’une organisation (Mo)",
    "L’espace que les fichiers de tous les membres d’une organisation peuvent occuper ensemble. 0 : sans limite. Une organisation peut avoir sa propre limite.",
  ],
  MAX_SERVICE_STORAGE: [
    "Stockage du service (Mo)",
    "L’espace que tous les fichiers peuvent occuper ensemble. 0 : sans limite. Choisissez moins que la taille du disque.",
  ],
  MAX_FILES: ["Fichiers d’une personne", "Nombre de fichiers qu’une personne peut avoir. 0 : sans limite."],
  MAX_CHATS: [
    "Discussions d’une personne",
    "Nombre de discussions qu’une personne peut avoir, archivées comprises. 0 : sans limite.",
  ],
  MAX_WAITING_JOBS: [
    "Tâches en attente d’une personne",
    "Nombre de fichiers d’une personne qui peuvent attendre d’être lus, et nombre de réponses de modèles qui peuvent être en cours dans les canaux. 0 : sans limite.",
  ],
  RATE_LIMITS: [
    "Requêtes par minute",
    "Des limites telles que person.models=600, séparées par des points-virgules. Qui : person, key (de l’API), organization ou address (un réseau, sans connexion). Quoi : models, uploads, searches, reads, writes ou all. Sans entrée, il n’y a pas de limite.",
  ],
  RETENTION_CHATS: [
    "Discussions (jours)",
    "Jours après la dernière modification, discussions épinglées et archivées comprises. 0 : conservation sans limite. Une organisation peut avoir sa propre durée.",
  ],
  RETENTION_FILES: [
    "Fichiers (jours)",
    "Jours après le téléversement ou la dernière modification. Les fichiers présents dans une base de connaissances, un canal, un modèle ou une discussion sont conservés tant qu’ils s’y trouvent. 0 : conservation sans limite. Une organisation peut avoir sa propre durée.",
  ],
  RETENTION_CHANNEL_MESSAGES: [
    "Messages des canaux (jours)",
    "Jours après la publication. 0 : conservation sans limite. Une organisation peut avoir sa propre durée.",
  ],
  RETENTION_LOGS: [
    "Journaux (jours)",
    "Appels de modèles, journal d’audit, envois de webhooks et réponses d’API stockées. Certains ont de toute façon une durée plus courte. 0 : conservation sans limite. Une organisation peut avoir sa propre durée.",
  ],
  MIN_FREE_DISK: [
    "Espace disque libre (Mo)",
    "S’il reste moins de place sur le disque du dossier de données, les téléversements sont refusés avec 507 et les administrateurs sont avertis. 0 : jamais. Seulement sur une seule machine.",
  ],
  ENABLE_API_KEYS: [
    "Activer les clés API",
    "Les personnes peuvent créer des clés pour des scripts. Sauf pour les administrateurs, il faut aussi l’autorisation « Utiliser des clés API ». Si désactivé, aucune clé ne fonctionne.",
  ],
  ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: [
    "Restreindre les points de terminaison des clés API",
    "Les clés ne peuvent appeler que les points de terminaison listés ci-dessous. Si la liste est vide, elles ne peuvent en appeler aucun.",
  ],
  API_KEYS_ALLOWED_ENDPOINTS: [
    "Points de terminaison autorisés",
    "Séparés par des virgules, par exemple : GET /api/models, /api/chat/completions, /api/v1/users/:id/info, /api/v1/chats/*. Sans méthode, toutes les méthodes sont autorisées. /* inclut tout ce qui se trouve en dessous.",
  ],
  CUSTOM_API_KEY_HEADER: ["En-tête des clés API", "L’en-tête de la clé quand un proxy utilise lui-même Authorization."],
  USER_PERMISSIONS_FEATURES_API_KEYS: [
    "Clés API pour tout le monde",
    "Remplace cette autorisation par défaut. Si non défini, les autorisations par défaut de la page des groupes s’appliquent.",
  ],
  OPENID_PROVIDER_URL: [
    "Fournisseur d’identité",
    "L’émetteur, ou l’adresse du document de découverte (https ; http pour la boucle locale uniquement).",
  ],
  OAUTH_CLIENT_ID: ["ID client", "L’ID de ce service chez le fournisseur."],
  OAUTH_CLIENT_SECRET: ["Secret client", "À laisser vide pour un client public."],
  OAUTH_PROVIDER_NAME: ["Nom du fournisseur", "Affiché sur le bouton de la page de connexion."],
  OAUTH_SCOPES: ["Scopes", "Scopes à demander, séparés par des espaces ; openid doit en faire partie."],
  OPENID_REDIRECT_URI: [
    "Adresse de rappel",
    "Telle qu’enregistrée chez le fournisseur. Si vide : <adresse publique>/oauth/oidc/login/callback.",
  ],
  GOOGLE_CLIENT_ID: ["Google : ID client", "Ajoute Google comme fournisseur."],
  GOOGLE_CLIENT_SECRET: ["Google : secret client", "Le secret délivré par Google."],
  GOOGLE_REDIRECT_URI: ["Google : adresse de rappel", "Si vide : <adresse publique>/oauth/google/login/callback."],
  MICROSOFT_CLIENT_ID: ["Microsoft : ID client", "Ajoute Microsoft Entra ID comme fournisseur."],
  MICROSOFT_CLIENT_SECRET: ["Microsoft : secret client", "Le secret délivré par Entra ID."],
  MICROSOFT_CLIENT_TENANT_ID: ["Microsoft : locataire", "L’ID ou le domaine de votre locataire."],
  MICROSOFT_REDIRECT_URI: [
    "Microsoft : adresse de rappel",
    "Si vide : <adresse publique>/oauth/microsoft/login/callback.",
  ],
  ENABLE_OAUTH_SIGNUP: [
    "Inscription par authentification unique",
    "Les personnes obtiennent un compte quand elles se connectent pour la première fois par le fournisseur.",
  ],
  OAUTH_MERGE_ACCOUNTS_BY_EMAIL: [
    "Fusionner par e-mail",
    "Les personnes qui se connectent avec l’adresse vérifiée d’un compte existant obtiennent ce compte. Ses sessions prennent fin, et son mot de passe et ses clés API sont supprimés (les administrateurs gardent les leurs).",
  ],
  OAUTH_ALLOWED_DOMAINS: [
    "Domaines e-mail",
    "Domaines qui peuvent se connecter, séparés par des virgules. * les autorise tous.",
  ],
  OAUTH_SUB_CLAIM: [
    "Claim : identité",
    "L’ID permanent d’une personne chez le fournisseur. Avec SCIM, il doit être identique à externalId.",
  ],
  OAUTH_USERNAME_CLAIM: ["Claim : nom", "Le claim qui contient le nom de la personne."],
  OAUTH_EMAIL_CLAIM: ["Claim : e-mail", "Le claim qui contient l’adresse e-mail."],
  OAUTH_PICTURE_CLAIM: [
    "Claim : image",
    "Le claim qui contient l’URL de l’image. Si vide, aucune image n’est utilisée.",
  ],
  OAUTH_UPDATE_NAME_ON_LOGIN: [
    "Actualiser le nom à la connexion",
    "Le nom fourni par le fournisseur remplace celui qui est stocké.",
  ],
  OAUTH_UPDATE_EMAIL_ON_LOGIN: [
    "Actualiser l’adresse e-mail à la connexion",
    "L’adresse vérifiée du fournisseur remplace celle qui est stockée, sauf si un autre compte l’utilise.",
  ],
  OAUTH_UPDATE_PICTURE_ON_LOGIN: [
    "Actualiser l’image à la connexion",
    "L’image du fournisseur remplace celle qui est stockée.",
  ],
  ENABLE_OAUTH_ROLE_MANAGEMENT: [
    "Les rôles viennent du fournisseur",
    "Le claim des rôles décide à chaque connexion. Les personnes qui n’ont aucun des rôles ci-dessous ne peuvent pas se connecter.",
  ],
  OAUTH_ROLES_CLAIM: ["Claim : rôles", "Utilisez des points pour les claims imbriqués."],
  OAUTH_ALLOWED_ROLES: ["Rôles qui peuvent se connecter", "Les noms chez le fournisseur, séparés par des virgules."],
  OAUTH_ADMIN_ROLES: ["Rôles d’administrateur", "Les noms chez le fournisseur, séparés par des virgules."],
  ENABLE_OAUTH_GROUP_MANAGEMENT: [
    "Les groupes viennent du fournisseur",
    "À chaque connexion, les personnes rejoignent et quittent des groupes selon le claim des groupes.",
  ],
  OAUTH_GROUPS_CLAIM: ["Claim : groupes", "Utilisez des points pour les claims imbriqués."],
  ENABLE_OAUTH_GROUP_CREATION: [
    "Créer les groupes manquants",
    "Crée les groupes présents dans le claim qui n’existent pas encore.",
  ],
  OAUTH_BLOCKED_GROUPS: ["Groupes à ignorer", "Noms, séparés par des virgules. * remplace n’importe quoi."],
  OAUTH_CODE_CHALLENGE_METHOD: ["Méthode PKCE", "Comment le code challenge est dérivé. Il est toujours envoyé."],
  OAUTH_TOKEN_ENDPOINT_AUTH_METHOD: [
    "Envoi du secret client",
    "Auto utilise une méthode prise en charge par le fournisseur.",
  ],
  OAUTH_TIMEOUT: ["Délai maximal du fournisseur (secondes)", "Pour chaque requête adressée au fournisseur."],
  OAUTH_AUTO_REDIRECT: ["Rediriger immédiatement vers le fournisseur", "Seulement s’il y a exactement un fournisseur."],
  ENABLE_OAUTH_BACKCHANNEL_LOGOUT: [
    "Déconnexion back-channel",
    "Le fournisseur peut mettre fin aux sessions par /oauth/backchannel-logout.",
  ],
  OPENID_END_SESSION_ENDPOINT: [
    "Adresse de déconnexion du fournisseur",
    "Là où la déconnexion se poursuit. Si vide, l’adresse du document de découverte est utilisée.",
  ],
  WEBUI_AUTH_SIGNOUT_REDIRECT_URL: [
    "Après la déconnexion",
    "Là où les personnes sont envoyées après la déconnexion. Si le fournisseur les déconnecte aussi, enregistrez-y cette adresse.",
  ],
  ENABLE_LOGIN_FORM: [
    "Afficher le formulaire de mot de passe",
    "Affiche l’e-mail et le mot de passe sur la page de connexion. Si désactivé, seuls les boutons des fournisseurs sont affichés.",
  ],
  ENABLE_PASSWORD_AUTH: ["Mots de passe", "Permet de se connecter et de s’inscrire avec un mot de passe."],
  SCIM_ENABLED: [
    "Provisionnement (SCIM)",
    "Un fournisseur d’identité peut créer, modifier et désactiver des comptes et des groupes.",
  ],
  SCIM_TOKEN: [
    "Jeton du fournisseur d’identité",
    "Un long texte aléatoire que le fournisseur d’identité envoie comme jeton Bearer.",
  ],
  SCIM_TOKEN_PREVIOUS: [
    "Jeton précédent",
    "Également accepté, jusqu’à ce que le fournisseur d’identité ait le nouveau jeton.",
  ],
  SCIM_AUTH_PROVIDER: [
    "Fournisseur de connexion des personnes provisionnées",
    "ID du fournisseur de connexion auquel appartient externalId, par exemple oidc ou microsoft.",
  ],
  SCIM_IP_ALLOWLIST: [
    "Adresses acceptées",
    "Adresses ou plages qui peuvent provisionner, séparées par des virgules. Si vide, toutes les adresses le peuvent.",
  ],
  SCIM_IP_HEADER: [
    "En-tête avec l’adresse de l’appelant",
    "L’en-tête dans lequel le proxy envoie l’adresse de l’appelant : CF-Connecting-IP chez Cloudflare, sinon souvent X-Real-IP ou X-Forwarded-For.",
  ],
  DEFAULT_MODEL_VISIBILITY: [
    "Accès aux modèles sans partage",
    "Qui peut voir les modèles qui ne sont partagés avec personne en particulier.",
  ],
  DEFAULT_MODELS: [
    "Modèle par défaut",
    "ID de modèles, séparés par des virgules. Les nouvelles discussions utilisent le premier que la personne peut voir.",
  ],
  DEFAULT_PINNED_MODELS: [
    "Modèles épinglés",
    "ID de modèles, séparés par des virgules. Ils viennent en premier dans la liste des personnes qui n’ont épinglé aucun modèle.",
  ],
  CONNECTION_OPTIONS: [
    "Options des connexions de l’environnement",
    'Un objet JSON tel que {"env-openai-0": {"quirks": {"rename": {"max_tokens": "max_completion_tokens"}}, "policy": {"max_concurrent": 8}}}, avec les ID des connexions comme clés.',
  ],
  UPSTREAM_TIMEOUT: [
    "Délai maximal du fournisseur (secondes)",
    "Combien de temps un fournisseur peut rester sans envoyer de données, avant le début de la réponse et pendant celle-ci.",
  ],
  OPENAI_API_BASE_URLS: ["Connexions compatibles OpenAI", "Adresses de base, séparées par des points-virgules."],
  OPENAI_API_KEYS: [
    "Clés des connexions compatibles OpenAI",
    "Dans le même ordre que les adresses, séparées par des points-virgules.",
  ],
  ANTHROPIC_API_BASE_URLS: ["Connexions avec une API Messages", "Adresses de base, séparées par des points-virgules."],
  ANTHROPIC_API_KEYS: [
    "Clés des connexions avec une API Messages",
    "Dans le même ordre que les adresses, séparées par des points-virgules.",
  ],
  LOCALMODEL_BASE_URLS: ["Moteurs locaux", "Adresses de base, séparées par des points-virgules."],
  ENABLE_DIRECT_CONNECTIONS: [
    "Connexions personnelles",
    "Les personnes qui ont l’autorisation features.direct_connections connectent leurs propres fournisseurs, avec leurs propres clés et pour elles seules.",
  ],
  ENABLE_PLUGINS: [
    "Exécution des plugins",
    "Si désactivé, aucune fonction et aucun outil de plugin ne s’exécute. Les plugins stockés sont conservés.",
  ],
  SAFE_MODE: [
    "Mode sans échec",
    "Toutes les fonctions sont considérées comme désactivées, quel que soit leur propre réglage.",
  ],
  RUNNERS: [
    "Exécuteurs natifs",
    "Adresses telles que http://runner:8710, séparées par des virgules. Les administrateurs peuvent y faire exécuter des plugins Python, hors du bac à sable.",
  ],
  RUNNER_TOKEN: ["Jeton des exécuteurs natifs", "Identique au RUNNER_TOKEN des exécuteurs."],
  PLUGIN_TIMEOUT: [
    "Délai maximal d’un appel de plugin (secondes)",
    "Le temps passé à attendre les réponses des personnes ne compte pas.",
  ],
  PLUGIN_TASK_TIMEOUT: [
    "Tâches après une réponse (secondes)",
    "Combien de temps les tâches et les threads qu’un plugin Python laisse en cours peuvent continuer une fois que sa fonction a répondu. Ils comptent dans le délai maximal de l’appel. 0 : ils se terminent avec la réponse.",
  ],
  PLUGIN_PACKAGE_REGISTRIES: [
    "Registres de paquets Python",
    "Adresses des registres depuis lesquels les paquets des plugins peuvent être téléchargés, par exemple https://pypi.org/simple/. Le premier qui connaît un nom décide. Si vide, rien n’est téléchargé et les wheels sont téléversés.",
  ],
  PLUGIN_INTERPRETER_PACKAGES: [
    "Paquets faits pour l’interpréteur",
    "Adresse du dossier depuis lequel des paquets tels que numpy, pandas, pillow et lxml peuvent être téléchargés : https://cdn.jsdelivr.net/pyodide/v314.0.7/full/, ou une copie de celui-ci. Seuls les fichiers dont le SHA-256 figure dans le fichier de verrouillage de l’interpréteur sont acceptés. Si vide, les paquets sont téléversés.",
  ],
  PLUGIN_DATABASE_MAX_SIZE: [
    "Bases de données d’un plugin (Mo)",
    "L’espace que les fichiers SQLite d’un plugin peuvent occuper ensemble, compressés. Les outils des personnes qui ne sont pas administrateurs disposent d’autant pour chaque personne qui les utilise. 0 : les plugins ne conservent pas de bases de données.",
  ],
  OUTLET_FILTER_MODE: [
    "Filtres outlet pour les appels d’API",
    "stable: seul /api/chat/completed les exécute. prerelease: ils s’exécutent aussi à la fin d’un appel d’API stocké dans une discussion ; la réponse par HTTP n’est jamais modifiée.",
  ],
  WEBSOCKET_EVENT_CALLER_TIMEOUT: [
    "Délai maximal des questions aux personnes (secondes)",
    "Combien de temps un plugin attend la réponse d’une personne.",
  ],
  ENABLE_EXTERNAL_EXECUTE: [
    "Code d’outils externes dans le navigateur",
    "Si le point de terminaison des événements accepte les événements execute. Le code s’exécute dans un cadre sans accès à la session.",
  ],
  ENABLE_FORWARD_USER_INFO_HEADERS: [
    "Envoyer des informations sur la personne aux serveurs d’outils",
    "Ajoute l’ID de la discussion, l’ID du message et des informations sur la personne aux appels d’outils externes.",
  ],
  FORWARD_USER_INFO_HEADER_JWT_SECRET: [
    "Secret pour signer les informations sur la personne",
    "Si défini, les informations sur la personne sont envoyées sous forme de jeton signé (HS256) et non dans de simples en-têtes.",
  ],
  TOOL_CALL_TURNS: [
    "Séries d’appels d’outils par réponse",
    "Après ce nombre de séries, le modèle doit répondre sans outils.",
  ],
  TOOL_RESULT_LIMIT: [
    "Longueur maximale d’un résultat d’outil (caractères)",
    "Les résultats plus longs sont tronqués pour le modèle, avec une note, et stockés en entier dans un fichier.",
  ],
  RAG_FILE_MAX_SIZE: [
    "Taille maximale d’un fichier (Mo)",
    "Les fichiers plus volumineux sont refusés pendant le téléversement.",
  ],
  RAG_FILE_MAX_COUNT: ["Fichiers par message", "Nombre de fichiers qui peuvent être joints à un message."],
  RAG_ALLOWED_FILE_EXTENSIONS: [
    "Types de fichiers autorisés",
    "Extensions de fichiers qui peuvent être téléversées, par exemple pdf ou docx. Si vide, toutes sont autorisées.",
  ],
  FILE_PROCESSING_TIMEOUT: [
    "Délai maximal de traitement (secondes)",
    "Un fichier qui n’est pas consultable d’ici là est marqué comme en échec.",
  ],
  CONTENT_EXTRACTION_ENGINE: [
    "Lecture des documents",
    "external: le service ci-dessous lit tous les fichiers. Sinon, il ne lit que ce que Parley ne peut pas lire.",
  ],
  EXTERNAL_DOCUMENT_LOADER_URL: [
    "Adresse d’un service de lecture externe",
    "Reçoit le fichier par PUT {address}/process et renvoie page_content. Si vide, aucun service externe n’est utilisé.",
  ],
  EXTERNAL_DOCUMENT_LOADER_API_KEY: ["Clé du service de lecture externe", "Envoyée comme jeton Bearer."],
  RAG_VISION_MODEL: [
    "Modèle qui lit les images",
    "L’ID d’un modèle capable de voir. Il lit les images et les pages numérisées. Sans lui, elles n’ont pas de texte.",
  ],
  ENABLE_KNOWLEDGE_FILE_RETENTION: [
    "Garder les fichiers retirés",
    "Si désactivé, retirer son propre fichier d’une base de connaissances le supprime aussi, sauf s’il est utilisé ailleurs ; il en va de même quand on supprime une base de connaissances. Une requête peut en décider autrement.",
  ],
  RAG_EMBEDDING_MODEL: [
    "Modèle d’embeddings",
    "L’ID d’un modèle qui transforme les passages en vecteurs. Si vide, la recherche ne trouve que les mots.",
  ],
  CHUNK_SIZE: ["Longueur des passages (caractères)", "S’applique aux fichiers traités à partir de maintenant."],
  CHUNK_OVERLAP: [
    "Chevauchement des passages (caractères)",
    "Quelle part du passage précédent est répétée, au plus la moitié de la longueur.",
  ],
  RAG_EMBEDDING_BATCH_SIZE: ["Passages par appel", "Nombre de passages envoyés en une fois au modèle d’embeddings."],
  RAG_EMBEDDING_CONTENT_PREFIX: [
    "Préfixe des passages",
    "Le préfixe que le modèle d’embeddings attend avant le texte d’un document, par exemple « passage:  ».",
  ],
  RAG_EMBEDDING_QUERY_PREFIX: [
    "Préfixe des recherches",
    "Le préfixe que le modèle d’embeddings attend avant une question, par exemple « query:  ».",
  ],
  RAG_TOP_K: ["Passages par réponse", "Nombre des meilleurs passages donnés au modèle."],
  RAG_RELEVANCE_THRESHOLD: [
    "Similarité minimale",
    "De 0 à 1. Les passages trouvés uniquement par leur sens sont écartés s’ils sont en dessous.",
  ],
  RAG_HYBRID_BM25_WEIGHT: [
    "Poids de la recherche par mots",
    "1 : les mots seulement. 0 : le sens seulement, s’il y a un modèle d’embeddings.",
  ],
  RAG_RERANKING_URL: [
    "Adresse du reranker",
    "Reçoit {model, query, documents, top_n} et renvoie des résultats avec index et relevance_score. Si vide, aucun reranker n’est utilisé.",
  ],
  RAG_RERANKING_MODEL: ["Modèle du reranker", "Envoyé au reranker comme modèle."],
  RAG_RERANKING_API_KEY: ["Clé du reranker", "Envoyée comme jeton Bearer."],
  RAG_CONTEXT_TOKENS: ["Limite des passages (tokens)", "La limite estimée pour l’ensemble des passages d’une réponse."],
  RAG_TEMPLATE: [
    "Prompt pour les passages",
    "Utilisez {{CONTEXT}} et {{QUERY}}. Si vide, le prompt de Parley est utilisé.",
  ],
  ENABLE_RETRIEVAL_QUERY_GENERATION: [
    "Recherches rédigées par un modèle",
    "Le modèle pour les titres, les étiquettes et les résumés transforme d’abord la conversation en recherches. Mieux pour les longues conversations, mais plus lent.",
  ],
  ENABLE_WEB_SEARCH: [
    "Recherche web",
    "Les personnes qui ont l’autorisation peuvent faire rechercher sur le Web pour une réponse.",
  ],
  WEB_SEARCH_ENGINE: [
    "Fournisseur",
    "Qui recherche sur le Web. Il reçoit les recherches, et rien d’autre d’une discussion.",
  ],
  SEARXNG_QUERY_URL: [
    "SearXNG : adresse",
    "Par exemple http://localhost:8888/search. Ses paramètres doivent autoriser le format json.",
  ],
  BRAVE_SEARCH_API_KEY: ["Brave : clé", "Stockée chiffrée, elle n’est plus jamais affichée."],
  TAVILY_API_KEY: ["Tavily : clé", "Stockée chiffrée, elle n’est plus jamais affichée."],
  GOOGLE_PSE_API_KEY: ["Google : clé", "Stockée chiffrée, elle n’est plus jamais affichée."],
  GOOGLE_PSE_ENGINE_ID: ["Google : ID du moteur de recherche", "L’ID (cx) d’un Programmable Search Engine."],
  EXTERNAL_WEB_SEARCH_URL: [
    "Votre propre fournisseur : adresse",
    "Répond en JSON. {query} et {count} dans l’adresse sont remplacés, et elle est appelée avec GET. Sans {query}, elle reçoit query et count en JSON avec POST.",
  ],
  EXTERNAL_WEB_SEARCH_HEADER: [
    "Votre propre fournisseur : en-tête",
    "Nom: valeur. {key} représente la clé. N’est pas envoyé sans clé.",
  ],
  EXTERNAL_WEB_SEARCH_API_KEY: ["Votre propre fournisseur : clé", "Stockée chiffrée, elle n’est plus jamais affichée."],
  EXTERNAL_WEB_SEARCH_RESULTS: [
    "Votre propre fournisseur : liste des résultats",
    "Où se trouve la liste dans la réponse, par exemple data.items. Vide : la réponse est la liste.",
  ],
  EXTERNAL_WEB_SEARCH_ADDRESS: [
    "Votre propre fournisseur : adresse d’un résultat",
    "Où elle se trouve dans un résultat, par exemple url ou page.href.",
  ],
  EXTERNAL_WEB_SEARCH_TITLE: ["Votre propre fournisseur : titre d’un résultat", "Où il se trouve dans un résultat."],
  EXTERNAL_WEB_SEARCH_SNIPPET: [
    "Votre propre fournisseur : texte d’un résultat",
    "Où le texte court se trouve dans un résultat.",
  ],
  WEB_SEARCH_MCP_SERVER: [
    "MCP : serveur",
    "L’ID d’un serveur d’outils. Seules les personnes qui peuvent utiliser le serveur peuvent rechercher.",
  ],
  WEB_SEARCH_MCP_TOOL: ["MCP : outil", "Le nom de son outil qui recherche. Il reçoit la recherche dans query."],
  WEB_SEARCH_RESULT_COUNT: ["Résultats", "Nombre de résultats demandés et lus pour chaque réponse."],
  WEB_SEARCH_DOMAIN_FILTER_LIST: [
    "Domaines",
    "Un domaine tel que example.org n’autorise que lui et ce qui se trouve en dessous. Précédé de !, il est bloqué. Si vide, tous sont autorisés.",
  ],
  ENABLE_SEARCH_QUERY_GENERATION: [
    "Recherches rédigées par un modèle",
    "Le modèle pour les titres, les étiquettes et les résumés transforme d’abord la conversation en recherches. Sinon, les mots de la question sont envoyés.",
  ],
  BYPASS_WEB_SEARCH_WEB_LOADER: [
    "Textes courts uniquement",
    "Les pages ne sont pas ouvertes. Le modèle reçoit les textes courts des résultats.",
  ],
  WEB_SEARCH_CONTEXT_TOKENS: [
    "Limite des passages (tokens)",
    "La limite estimée pour l’ensemble des passages de pages dans une réponse.",
  ],
  WEB_LOADER_TIMEOUT: [
    "Temps pour une page (secondes)",
    "Une page qui n’est pas arrivée d’ici là est laissée de côté.",
  ],
  ENABLE_IMAGE_GENERATION: [
    "Images créées par des modèles",
    "Les personnes qui ont l’autorisation peuvent faire créer des images.",
  ],
  IMAGE_GENERATION_CONNECTION: [
    "Connexion pour les images",
    "Une connexion qui dispose de /images/generations d’OpenAI.",
  ],
  IMAGE_GENERATION_MODEL: ["Modèle pour les images", "Tel que le fournisseur le nomme, par exemple gpt-image-1."],
  IMAGE_SIZE: [
    "Taille",
    "Largeur et hauteur en pixels, par exemple 1024x1024, ou auto. Si vide, le fournisseur décide.",
  ],
  IMAGE_STEPS: ["Étapes", "Pour les fournisseurs qui acceptent des étapes, par exemple LocalAI. 0 : non envoyé."],
  ENABLE_IMAGE_PROMPT_GENERATION: [
    "Descriptions rédigées par un modèle",
    "Le modèle pour les titres, les étiquettes et les résumés transforme d’abord la conversation en description. Sinon, les mots de la question sont envoyés.",
  ],
  ENABLE_IMAGE_EDIT: [
    "Modification d’images",
    "Les images d’une discussion peuvent être modifiées, avec /images/edits du fournisseur.",
  ],
  IMAGE_EDIT_MODEL: ["Modèle pour les modifications", "Si vide, le modèle pour les images."],
  AUDIO_STT_ENGINE: [
    "Dictée",
    "Ce qui transcrit les paroles : le navigateur de chacun, qui peut les envoyer à son éditeur, une connexion ou rien.",
  ],
  AUDIO_STT_CONNECTION: ["Connexion pour la dictée", "Une connexion qui dispose de /audio/transcriptions d’OpenAI."],
  AUDIO_STT_MODEL: ["Modèle pour la dictée", "Tel que le fournisseur le nomme."],
  AUDIO_STT_MAX_SIZE: [
    "Taille maximale d’un enregistrement (Mo)",
    "Les enregistrements plus volumineux sont refusés pendant leur réception.",
  ],
  AUDIO_TTS_ENGINE: [
    "Lecture à voix haute",
    "Ce qui lit les réponses à voix haute : le navigateur de chacun, une connexion ou rien.",
  ],
  AUDIO_TTS_CONNECTION: [
    "Connexion pour la lecture à voix haute",
    "Une connexion qui dispose de /audio/speech d’OpenAI.",
  ],
  AUDIO_TTS_MODEL: ["Modèle pour la lecture à voix haute", "Tel que le fournisseur le nomme."],
  AUDIO_TTS_VOICE: ["Voix", "La voix des personnes qui n’en ont pas choisi."],
  AUDIO_TTS_VOICES: [
    "Choix de voix",
    "Les voix parmi lesquelles les personnes peuvent choisir, telles que le fournisseur les nomme.",
  ],
  USAGE_RECORD_DAYS: [
    "Conserver les appels individuels (jours)",
    "Quelle personne a appelé quel modèle, quand et pendant combien de temps. Les totaux par jour sont conservés sans limite.",
  ],
  ENABLE_PUBLIC_ACTIVE_USERS_COUNT: [
    "Montrer les personnes actives à tout le monde",
    "GET /api/usage : combien de personnes sont actives, et quels modèles sont utilisés. Si désactivé, réservé aux administrateurs.",
  ],
  ENABLE_CHANNELS: [
    "Canaux",
    "Des salons où personnes, bots et modèles s’écrivent. Si désactivé, il n’est possible ni de lire les canaux ni d’y écrire.",
  ],
  CHANNEL_CONTEXT_MESSAGES: [
    "Contexte d’un modèle (messages)",
    "Combien des derniers messages un modèle voit quand il est interrogé dans un canal ou un fil, question comprise.",
  ],
  ENABLE_CHANNEL_WEBHOOK_NAMES: [
    "Noms et images dans les publications de webhooks",
    "Une publication peut apporter son propre nom et sa propre image. Ils sont affichés avec le nom du webhook. Si désactivé, ils sont ignorés.",
  ],
  CHANNEL_WEBHOOK_RATE: [
    "Limite des webhooks (publications par minute)",
    "Le débit durable de chaque webhook de canal. Les publications plus rapides reçoivent 429.",
  ],
  CHANNEL_WEBHOOK_BURST: [
    "Rafale de webhook (publications)",
    "Combien de publications un webhook au repos peut envoyer sans pause.",
  ],
  WEBHOOK_URL: [
    "URL du webhook",
    "Reçoit un message pour chaque nouvelle personne. Les envois et le secret de signature se trouvent sous Webhooks.",
  ],
  ENABLE_USER_WEBHOOKS: [
    "Webhooks personnels",
    "Chacun peut définir un webhook, appelé quand une réponse se termine en son absence.",
  ],
  SMTP_HOST: ["Serveur de messagerie", "Nom d’hôte du serveur SMTP. Si vide, aucun e-mail n’est envoyé."],
  SMTP_PORT: ["Port", "Généralement 587 avec STARTTLS, 465 avec TLS."],
  SMTP_SECURITY: [
    "Chiffrement",
    "tls: chiffré dès le début. starttls: chiffré avant que quoi que ce soit de secret ne soit transmis, sinon rien n’est envoyé. none: pour un serveur sur la même machine ou le même réseau.",
  ],
  SMTP_USER: ["Nom d’utilisateur", "Si vide, Parley ne se connecte pas au serveur de messagerie avec un compte."],
  SMTP_PASSWORD: ["Mot de passe", "Remplace le mot de passe saisi sous Administration > E-mail."],
  SMTP_FROM: [
    "Expéditeur",
    "Par exemple parley@example.org, ou Parley <parley@example.org>. Sans expéditeur, aucun e-mail n’est envoyé.",
  ],
  METRICS_TOKEN: [
    "Jeton des métriques",
    "Un texte aléatoire d’au moins 16 caractères que Prometheus envoie comme jeton Bearer à /metrics. Sans lui, /metrics renvoie 404.",
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    "Collecteur",
    "L’adresse d’un collecteur OpenTelemetry, par exemple http://127.0.0.1:4318. Les traces sont envoyées à /v1/traces en dessous. Sans elle, il n’y en a pas.",
  ],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: [
    "Collecteur de traces",
    "L’adresse entière pour les traces, avec son chemin. Elle a priorité sur l’autre.",
  ],
  OTEL_EXPORTER_OTLP_HEADERS: [
    "En-têtes pour le collecteur",
    "name=value, séparés par des virgules : une clé, par exemple. Les valeurs peuvent être échappées avec %.",
  ],
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: [
    "En-têtes pour les traces",
    "Idem, pour les traces seulement. À nom égal, l’en-tête a priorité sur l’autre.",
  ],
  OTEL_EXPORTER_OTLP_PROTOCOL: [
    "Protocole du collecteur",
    "Parley envoie du JSON par HTTP, que tout collecteur accepte sur son port HTTP (4318).",
  ],
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: ["Protocole pour les traces", "Idem, pour les traces seulement."],
  OTEL_SERVICE_NAME: ["Nom dans les traces", "Le nom de ce service dans les traces."],
  OTEL_RESOURCE_ATTRIBUTES: [
    "Attributs du service",
    "name=value, séparés par des virgules, par exemple deployment.environment.name=staging. Ils figurent dans chaque trace.",
  ],
  OTEL_TRACES_SAMPLER: [
    "Traces enregistrées",
    "parentbased: ce qu’indique un traceparent compte, et le reste seulement s’il n’y en a pas.",
  ],
  OTEL_TRACES_SAMPLER_ARG: [
    "Part des traces",
    "De 0 à 1, par exemple 0.1 : la part des traces que les échantillonneurs traceidratio enregistrent.",
  ],
  OTEL_SDK_DISABLED: ["Aucune trace", "Désactive les traces, quels que soient les autres paramètres."],
  TRACEPARENT_TO_PROVIDERS: [
    "Les fournisseurs connaissent la trace",
    "Les appels de modèles comportent l’en-tête traceparent, afin que votre propre fournisseur puisse compléter la trace.",
  ],
  ENABLE_TITLE_GENERATION: [
    "Générer les titres",
    "Un modèle écrit un titre pour chaque nouvelle discussion, en arrière-plan.",
  ],
  ENABLE_TAGS_GENERATION: [
    "Générer les étiquettes",
    "Un modèle choisit des étiquettes pour chaque nouvelle discussion, en arrière-plan, ce qui coûte un appel de plus.",
  ],
  TASK_MODEL: [
    "Modèle pour les titres, les étiquettes et les résumés",
    "Un ID de modèle. Si vide, le modèle de la discussion.",
  ],
  ENABLE_CONTEXT_COMPACTION: [
    "Raccourcir les longues conversations",
    "Quand une conversation dans la page web approche de la fin du contexte du modèle, un modèle résume son début. Tous les messages sont conservés. Les appels d’API ne sont pas modifiés.",
  ],
  CONTEXT_COMPACTION_SHARE: [
    "Raccourcir à partir de (pourcentage du contexte)",
    "Jusqu’où le contexte du modèle peut se remplir avant qu’une conversation ne soit raccourcie.",
  ],
  DEFAULT_PROMPT_SUGGESTIONS: [
    "Questions suggérées",
    "Questions proposées par les nouvelles discussions, séparées par des points-virgules, quand le modèle n’en suggère pas lui-même.",
  ],
  MAX_CHAT_MESSAGES: [
    "Messages d’une discussion",
    "Le nombre maximal de messages d’une discussion. Au-delà, l’enregistrement ou l’importation est refusé.",
  ],
  ENABLE_PREVIEWS: [
    "Aperçus des réponses",
    "Les personnes peuvent ouvrir les pages, tableaux et diagrammes des réponses à côté de la discussion, dans un cadre sans réseau ni stockage.",
  ],
  ENABLE_CODE_EXECUTION: [
    "Exécuter le code des réponses",
    "Les personnes peuvent exécuter le Python et le JavaScript des réponses. Python s’exécute dans un processus isolé sans réseau.",
  ],
  ENABLE_CODE_INTERPRETER: [
    "Code exécuté par les modèles",
    "Les personnes peuvent autoriser les modèles à exécuter du Python pour une réponse. Il s’exécute dans les mêmes processus isolés.",
  ],
  CODE_EXECUTION_TIMEOUT: [
    "Durée maximale d’une exécution de code (secondes)",
    "Une exécution plus longue est arrêtée.",
  ],
  ENABLE_MEMORIES: [
    "Souvenirs",
    "Ce que les personnes veulent que les modèles retiennent d’elles. Si désactivé, les souvenirs sont conservés, mais ils ne peuvent être ni lus ni modifiés, et les modèles ne les reçoivent pas.",
  ],
  MAX_MEMORIES: ["Souvenirs d’une personne", "Nombre de souvenirs qu’une personne peut avoir."],
  ENABLE_MESSAGE_RATING: [
    "Évaluation des réponses",
    "Les personnes peuvent évaluer les réponses et dire pourquoi. Si désactivé, les évaluations précédentes sont conservées, et chacun peut encore supprimer les siennes.",
  ],
} satisfies SettingWords;
