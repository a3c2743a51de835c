import type { AppTexts } from "../../app-texts.ts";
import { locale } from "../../locale.ts";

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  const part = (value: number, unit: string) =>
    new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(value);
  return [minutes > 0 && part(minutes, "minute"), (rest > 0 || minutes === 0) && part(rest, "second")]
    .filter(Boolean)
    .join(" e ");
}

export default {
  signIn: {
    title: "Entrar",
    action: "Entrar",
    other: "Primeira vez aqui?",
    otherAction: "Criar uma conta",
    failed: "O login falhou",
    wrong: "E-mail ou senha incorretos.",
    closed: "O login com senha está desativado. Pergunte ao seu administrador como entrar.",
    signedOut: "Você saiu.",
    newPassword: "Sua nova senha foi definida. Entre com ela.",
    forgotten: "Esqueceu a senha?",
  },
  signUp: {
    title: "Crie sua conta",
    first: "Crie a primeira conta",
    firstSub: "Ela será a conta de administrador.",
    action: "Criar conta",
    other: "Já tem uma conta?",
    otherAction: "Entrar",
    failed: "Não foi possível criar sua conta",
    closed: "Só administradores podem criar contas. Fale com um administrador ou entre, se você já tem uma conta.",
  },
  code: {
    text: "Insira o código do seu app autenticador ou um dos seus códigos de recuperação.",
    label: "Código",
    missing: "Insira o código.",
    wrong: "O código está errado ou já foi usado. Espere o próximo.",
    back: "Usar outra conta",
  },
  passkey: {
    action: "Entrar com chave de acesso",
    use: "Usar chave de acesso",
    orCode:
      "Confirme com uma chave de acesso, ou insira um código do seu app autenticador ou um dos seus códigos de recuperação.",
    orRecovery: "Confirme com uma chave de acesso ou insira um dos seus códigos de recuperação.",
    recoveryOnly:
      "Chaves de acesso não funcionam neste navegador ou neste endereço. Insira um dos seus códigos de recuperação.",
    wrong: "Esta chave de acesso não funciona aqui. Talvez tenha sido removida. Entre de outra forma.",
    cancelled: "Nada foi confirmado. Tente de novo ou entre de outra forma.",
    unusable: "A chave de acesso não funciona neste navegador ou neste endereço. Entre de outra forma.",
  },
  join: {
    title: "Participar",
    from: (name) => `${name} convida você a criar uma conta.`,
    fromTo: (name, organization) => `${name} convida você a participar de ${organization}.`,
    action: "Criar conta",
    failed: "Não foi possível criar sua conta",
    loading: "Verificando o convite",
    noToken: "Este endereço não está completo. Abra o link inteiro do convite.",
    overTitle: "Este convite não pode ser usado",
    lookFailed: "Não foi possível carregar o convite",
    onlyFor: "O convite é para este endereço.",
    signedInAs: (email) => `Você entrou como ${email}. Saia primeiro para criar outra conta.`,
    toApp: "Ir para o Parley",
    noWay: "Nenhuma forma de login está ativada. Fale com seu administrador.",
  },
  forgotten: {
    title: "Esqueceu a senha?",
    sub: "Insira seu endereço de e-mail. Se ele tiver uma conta com senha, você recebe um link para escolher uma nova.",
    action: "Enviar link",
    failed: "Não foi possível enviar o link",
    sent: (email) =>
      `Se ${email} tiver uma conta com senha, um e-mail com um link está a caminho. O link funciona por uma hora.`,
    off: "Não é possível enviar e-mails daqui. Peça a um administrador um link para escolher uma nova senha.",
    back: "Voltar ao login",
  },
  newPassword: {
    title: "Escolha uma nova senha",
    sub: (email) => `Para ${email}. Todas as sessões da conta serão encerradas.`,
    field: "Nova senha",
    action: "Definir senha",
    failed: "Não foi possível definir a senha",
    lookFailed: "Não foi possível verificar o link",
    overTitle: "Este link não pode ser usado",
    noToken: "Este endereço não está completo. Abra o link inteiro.",
    again: "Pedir um novo link",
  },
  fields: {
    name: "Nome",
    email: "E-mail",
    password: "Senha",
    passwordHint: "No mínimo 8 caracteres. Algumas palavras são mais fáceis de lembrar do que símbolos.",
  },
  missing: {
    name: "Insira seu nome.",
    email: "Insira um endereço de e-mail, como ada@harbour.example.",
    password: "Insira sua senha.",
    newPassword: "Use no mínimo 8 caracteres.",
    longPassword: "Use no máximo 1.024 bytes.",
  },
  sso: {
    with: (name) => `Continuar com ${name}`,
    going: (name) => `Abrindo ${name}`,
    newTab: " em uma nova aba",
    or: "ou",
    onItsWay: (name) => `Abrindo ${name}.`,
    stay: "Ficar nesta página",
    waiting: "Entre por lá e depois volte a esta aba. Ela continua automaticamente.",
    failed: "O login falhou",
    unknown: "O login com o provedor falhou. Tente de novo. Se continuar falhando, avise seu administrador.",
    errors: {
      sso_denied: "O provedor recusou o login, ou você o cancelou. Tente de novo e permita o acesso quando for pedido.",
      sso_expired: "O login demorou demais, ou a página foi aberta duas vezes. Recomece por aqui.",
      sso_no_account:
        "Você ainda não tem uma conta, e o login não cria uma. Peça ao seu administrador que adicione você.",
      sso_email_taken:
        "Já existe uma conta com seu endereço de e-mail, que entra de outra forma. Entre como antes ou peça ao seu administrador que vincule as contas.",
      sso_email_missing:
        "O provedor não enviou seu endereço de e-mail, que é obrigatório. Peça ao seu administrador que mude isso no provedor.",
      sso_email_unverified:
        "Seu endereço de e-mail ainda não foi verificado no provedor. Verifique-o lá e tente de novo.",
      sso_domain_not_allowed:
        "O domínio do seu endereço de e-mail não é permitido. Use sua conta de trabalho ou fale com seu administrador.",
      sso_account_inactive: "Sua conta está desativada. Peça ao seu administrador que a ative de novo.",
      sso_organization_inactive: "Sua organização está desativada. Fale com seu administrador.",
      sso_other_invitation:
        "O convite é para outro endereço de e-mail. Entre com a conta para a qual ele foi enviado ou peça um convite para esta.",
      sso_role_not_allowed: "Nenhuma das suas funções pode usar este serviço. Peça acesso ao seu administrador.",
      sso_provider_failed:
        "Não foi possível acessar o provedor, ou ele enviou uma resposta inválida. Tente de novo mais tarde. Se continuar falhando, avise seu administrador. O motivo está no log do serviço.",
    },
  },
  pause: (seconds) => `Tentativas demais. Você pode tentar de novo em ${duration(seconds)}.`,
  pauseOver: "Você já pode tentar de novo.",
  again: {
    title: "Entre de novo",
    text: "Sua sessão terminou. Entre para continuar de onde está. Nada do que você digitou se perde.",
    other: "Usar outra conta",
    action: "Entrar e continuar",
    noForm: "Sua sessão terminou. Entre em uma nova aba para continuar aqui. Nada do que você digitou se perde.",
  },
  waiting: {
    title: "Sua conta aguarda aprovação",
    text: "Um administrador precisa aprovar sua conta primeiro. Depois, esta página continua automaticamente.",
    contact: (name) => `Você pode falar com ${name}:`,
    check: "Verificar agora",
    checked: "Ainda não aprovada. Verificado agora mesmo.",
    signOut: "Sair",
    signedInAs: (email) => `Você entrou como ${email}`,
    failed: "Não foi possível verificar a aprovação",
  },
} satisfies AppTexts["sign-in"];
