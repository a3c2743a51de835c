import type { AppTexts } from "../../app-texts.ts";

export default {
  set: "Definir status",
  title: "Seu status",
  text: "O que você está fazendo?",
  placeholder: "ex.: Em reunião",
  emoji: "Escolher um emoji",
  clearAfter: "Limpar",
  ends: {
    never: "Nunca",
    halfHour: "Em 30 minutos",
    hour: "Em 1 hora",
    fourHours: "Em 4 horas",
    today: "Hoje",
    week: "Esta semana",
    kept: "No horário definido",
  },
  hint: "As pessoas da sua organização o veem nos canais.",
  save: "Salvar",
  clear: "Limpar status",
  failed: "Não foi possível salvar o status",
  usual: {
    meeting: "Em reunião",
    lunch: "Em horário de almoço",
    home: "Trabalhando de casa",
    holiday: "De férias",
    sick: "De licença médica",
  },
} satisfies AppTexts["status"];
