import type { AppTexts } from "../../app-texts.ts";
import { list, number, people, plural } from "../format.ts";

const others = (count: number): string => plural(count, { one: "mais # pessoa", other: "mais # pessoas" });
const replies = (count: number): string => plural(count, { one: "# resposta", other: "# respostas" });
const newMessages = (count: number): string => plural(count, { one: "# mensagem nova", other: "# mensagens novas" });

export default {
  channels: "Canais",
  direct: "Mensagens diretas",
  untitled: "Conversa",

  rail: {
    add: "Novo canal ou conversa",
    make: "Novo canal",
    browse: "Explorar canais",
    write: "Nova mensagem",
    all: "Todos os canais",
    failed: "Não foi possível carregar os canais",
    empty: "Seus canais aparecerão aqui.",
    unread: (n, isMore) =>
      isMore
        ? `mais de ${plural(n, { one: "# não lida", other: "# não lidas" })}`
        : plural(n, { one: "# não lida", other: "# não lidas" }),
    mentions: (n) => plural(n, { one: "# menção a você", other: "# menções a você" }),
    private: "Canal privado",
    public: "Canal público",
    more: (n) => `${number.format(n)}+`,
  },

  home: {
    title: "Canais",
    lead: "Onde sua equipe, bots e modelos conversam.",
    empty: "Você ainda não está em nenhum canal. Explore os canais ou crie o primeiro.",
    none: "Nenhuma mensagem ainda",
    people: (n) => people(n),
  },

  page: {
    loadFailed: "Não foi possível carregar o canal",
    messagesFailed: "Não foi possível carregar as mensagens",
    notFound: "Este canal não existe, ou é privado e você não é membro.",
    notAllowed:
      "Só membros podem ler este canal. Um gerente do canal pode adicionar você. Como administrador, você ainda pode alterar as configurações dele.",
    switchedOff: "Os canais estão desativados aqui. Um administrador pode ativá-los.",
    noRight: "Sua conta não pode usar canais. Um administrador pode permitir.",
    others: "Todos os canais",
    empty: (name) => `Este é o começo de ${name}. Escreva a primeira mensagem.`,
    emptyPreview: "Nenhuma mensagem ainda.",
    beginning: (name) => `O começo de ${name}`,
    log: (name) => `Mensagens em ${name}`,
    earlier: "Mostrar mensagens anteriores",
    later: "Mostrar mensagens seguintes",
    latest: "Mais recentes",
    newBelow: (n) => newMessages(n),
    newLine: "Novas",
    today: "Hoje",
    yesterday: "Ontem",
    members: (n) => plural(n, { one: "# membro", other: "# membros" }),
    pins: "Mensagens fixadas",
    search: "Buscar neste canal",
    settings: "Configurações do canal",
    actions: "Mais ações do canal",
    said: (name, text) => `${name}: ${text}`,
    manySaid: (n) => newMessages(n),
  },

  mention: {
    by: (name) => `${name} mencionou você em um tópico:`,
    more: (n) => `e mais ${number.format(n)}`,
  },

  preview: {
    text: (name) =>
      `Você está vendo ${name}. Entre para receber as mensagens. Publicar uma mensagem também conta como entrar.`,
    join: "Entrar no canal",
    failed: "Não foi possível entrar no canal",
  },

  composer: {
    label: (name) => `Mensagem para ${name}`,
    labelThread: "Responder neste tópico",
    placeholder: (name) => `Escreva para ${name}`,
    placeholderThread: "Responder",
    attach: "Anexar arquivos",
    quoting: (name) => `Citando ${name}`,
    dropQuote: "Remover citação",
    tooLong: (over) =>
      `A mensagem tem ${plural(over, { one: "# caractere", other: "# caracteres" })} a mais. Encurte-a ou anexe-a como arquivo.`,
  },

  message: {
    edited: "editada",
    pinned: "Fixada",
    deleted: "Esta mensagem foi excluída.",
    bot: "Webhook",
    service: "Conta de serviço",
    model: "Modelo",
    streaming: "está escrevendo",
    failed: "O modelo não respondeu",
    sending: "Enviando",
    waiting: "Esperando a conexão",
    notSent: "Não enviada",
    again: "Enviar de novo",
    discard: "Descartar",
    from: (name, when) => `${name}, ${when}`,
    replies: (n) => replies(n),
    latestReply: "última",
    quoted: (name) => `Em resposta a ${name}`,
    quoteGone: "Em resposta a uma mensagem que foi excluída",
    showAll: "Mostrar tudo",
    showLess: "Mostrar menos",
  },

  actions: {
    label: (name) => `Ações para a mensagem de ${name}`,
    react: "Reagir",
    quote: "Citar",
    thread: "Responder em um tópico",
    edit: "Editar",
    pin: "Fixar no canal",
    unpin: "Desafixar",
    copy: "Copiar texto",
    copyLink: "Copiar link",
    remove: "Excluir",
    stop: "Parar a resposta",
    regenerate: "Responder de novo",
    copied: "Copiado.",
    failed: "Não funcionou. A mensagem continua como estava.",
    notCopied: "O navegador bloqueou a cópia.",
  },

  remove: {
    title: "Excluir esta mensagem?",
    text: "Ela será excluída para todos no canal.",
    textThread: "O texto dela será excluído para todos. As respostas são mantidas.",
    action: "Excluir mensagem",
    failed: "Não foi possível excluir a mensagem",
  },

  edit: {
    label: "Editar sua mensagem",
    save: "Salvar",
    cancel: "Cancelar",
    hint: "Pressione Esc para cancelar, Enter para salvar.",
    failed: "Não foi possível salvar a alteração",
  },

  reactions: {
    label: "Reações",
    choose: "Escolher uma reação",
    more: "Adicionar reação",
    by: (emoji, names, rest) => `${emoji} ${list.format(rest > 0 ? [...names, others(rest)] : names)}`,
    you: "você",
  },

  thread: {
    title: "Tópico",
    failed: "Não foi possível carregar o tópico",
    gone: "Esta mensagem não existe mais.",
    none: "Nenhuma resposta ainda.",
    replies: (n) => replies(n),
    log: "Respostas",
  },

  pins: {
    title: "Mensagens fixadas",
    none: "Nenhuma mensagem fixada. Fixe as mensagens que as pessoas devem reencontrar.",
    failed: "Não foi possível carregar as mensagens fixadas",
    show: "Mostrar no canal",
    more: "Mostrar mais",
  },

  search: {
    title: "Busca",
    label: "Buscar neste canal",
    hint: "Insira palavras da mensagem.",
    none: (query) => `Nenhuma mensagem corresponde a “${query}”.`,
    failed: "A busca falhou",
    results: (n) => plural(n, { one: "# mensagem encontrada", other: "# mensagens encontradas" }),
    inThread: "em um tópico",
    palette: "Mensagens em canais",
    paletteChannels: "Canais",
  },

  panels: { members: "Membros", webhooks: "Webhooks", file: "Arquivo" },

  typing: (names, rest) =>
    `${list.format(rest > 0 ? [...names, others(rest)] : names)} ${names.length + rest === 1 ? "está" : "estão"} escrevendo`,

  keys: {
    group: "Canal",
    send: "Enviar",
    newline: "Nova linha",
    editLast: "Editar sua última mensagem (com o campo vazio)",
    close: "Fechar o tópico ou o painel",
  },
} satisfies AppTexts["channels"];
