import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "Este dispositivo",
  sub: "Opções só para este navegador.",
  notifications: "Notificações do navegador",
  notificationsSub:
    "Aparecem enquanto você não está olhando para o Parley. O navegador pergunta uma vez se são permitidas.",
  kinds: {
    answers: { label: "Respostas prontas", hint: "Quando um modelo respondeu em uma aba que você não está vendo." },
    mentions: { label: "Menções em canais", hint: "Quando alguém escreve seu nome." },
    questions: { label: "Perguntas à espera", hint: "Quando um plugin precisa da sua resposta para continuar." },
  },
  denied:
    "Seu navegador bloqueia as notificações deste site. Permita-as nas configurações do navegador para este site e recarregue a página.",
  unsupported: "Este navegador não pode mostrar notificações deste site.",
  app: "App instalado",
  appSub:
    "O Parley em uma janela própria, com o número de não lidas no ícone. Outros apps podem compartilhar texto e arquivos com ele.",
  install: "Instalar o Parley",
  installed: "O Parley está em uso como app instalado.",
  manual: "Escolha Instalar ou Adicionar à tela inicial no menu do seu navegador.",
} satisfies AppTexts["settings/device"];
