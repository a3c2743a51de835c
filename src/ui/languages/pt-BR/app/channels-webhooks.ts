import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "Webhooks",
  lead: "Endereços com os quais bots e outros sistemas publicam neste canal. Quem tem um endereço pode publicar.",
  add: "Novo webhook",
  none: "Nenhum webhook ainda. Crie um para que um script ou outro sistema publique aqui.",
  failed: "Não foi possível carregar os webhooks",
  lastUsed: "Último uso",
  neverUsed: "Nunca usado",
  url: "Endereço",
  urlHint: "Mantenha em segredo: quem o tem pode publicar.",
  curl: "Publicar pelo terminal",
  curlHint: "Com um cabeçalho Idempotency-Key, uma publicação enviada duas vezes aparece uma só vez.",
  lost: "Não é possível mostrar o endereço porque a chave que o criptografou não está mais em uso. Ele continua funcionando. Para ver um endereço, crie um novo.",
  example: "Navio **à vista**",

  tool: "O que publica",
  setups: {
    curl: { label: "Um script", steps: "Envie JSON com o campo content, que é Markdown." },
    slack: {
      label: "Compatível com Slack",
      steps: "Cole o endereço onde o programa pede o incoming webhook do Slack. Jenkins, GitLab e Argo CD fazem isso.",
      example: "Com o cliente do próprio Slack",
    },
    discord: {
      label: "Compatível com Discord",
      steps: "Cole o endereço onde o programa pede o webhook do Discord.",
    },
    alertmanager: { steps: "Adicione um receiver à configuração do Alertmanager e encaminhe alertas para ele." },
    grafana: {
      steps: "No Grafana, abra Alerting, Contact points, adicione um do tipo Webhook e cole o endereço como URL.",
      example: "Ou como arquivo de provisionamento",
    },
    uptimeKuma: {
      steps:
        "No Uptime Kuma, abra Settings, Notifications, Setup notification. Escolha Webhook, cole o endereço como Post URL e escolha Preset - application/json.",
    },
    github: {
      steps:
        "No repositório, abra Settings, Webhooks, Add webhook. Cole o endereço como Payload URL. Os dois tipos de conteúdo funcionam. Escolha os eventos que você quer.",
    },
    titleMessage: {
      label: "Título e mensagem",
      steps:
        "Para programas em que você mesmo escreve o corpo, e para os que enviam um título com uma mensagem, como Apprise e ntfy.",
      example: "Corpo",
    },
  },

  threads: "Tópicos",
  threadsHint:
    "Publicações sobre um mesmo alerta, pull request ou execução formam um tópico. A primeira mostra o estado atual.",

  requests: {
    title: "Últimas solicitações",
    reload: "Recarregar",
    failed: "Não foi possível carregar as solicitações",
    none: "Ainda não chegou nada a este endereço.",
    posted: "Publicada",
    repeated: "Enviada de novo",
    refused: (status) => `Recusada (${status})`,
    unknown: "Formato desconhecido",
  },

  test: "Enviar um teste",
  testContent: (name) => `Este é um teste do webhook ${name}.`,
  tested: "O teste foi publicado no canal.",
  testFailed: "Não foi possível publicar o teste",
  edit: "Alterar nome ou imagem",
  rotate: "Novo endereço",
  remove: "Excluir",

  dialog: {
    create: "Novo webhook",
    edit: "Editar webhook",
    name: "Nome",
    nameHint: "Aparece acima das publicações dele.",
    nameMissing: "Insira um nome.",
    editHint: "Publicações anteriores mantêm o nome e a imagem. O endereço continua o mesmo.",
    make: "Criar webhook",
    save: "Salvar",
    makeFailed: "Não foi possível criar o webhook",
    saveFailed: "Não foi possível salvar a alteração",
  },

  askRotate: {
    title: (name) => `Substituir o endereço de ${name}?`,
    text: "O endereço atual para de funcionar imediatamente. Passe o novo a todos que publicam com ele.",
    action: "Substituir endereço",
    failed: "Não foi possível substituir o endereço",
    done: (name) => `${name} tem um novo endereço.`,
  },
  askRemove: {
    title: (name) => `Excluir ${name}?`,
    text: "O endereço dele para de funcionar imediatamente. As publicações ficam no canal, como “Webhook excluído”.",
    action: "Excluir webhook",
    failed: "Não foi possível excluir o webhook",
    done: (name) => `O webhook ${name} foi excluído.`,
  },
} satisfies AppTexts["channels/webhooks"];
