import type { AppTexts } from "../../app-texts.ts";
import { number, seconds } from "../format.ts";

export default {
  run: "Ejecutar",
  runOf: (language) => `Ejecutar este código (${language})`,
  again: "Ejecutar de nuevo",
  stop: "Detener",
  running: "El código se está ejecutando",
  done: (time) => `Terminado en ${seconds.format(time)}`,
  stopped: "Detenido",
  failed: (name, message) => (message ? `${name}: ${message}` : name),
  failedAt: (name, message, line) =>
    message ? `Línea ${number.format(line)}: ${name}: ${message}` : `Línea ${number.format(line)}: ${name}`,
  tooSlow: (time) => `La ejecución superó el límite de ${seconds.format(time)} y se detuvo.`,
  reasons: {
    timeout: "La ejecución tardó demasiado y se detuvo.",
    stopped: "La ejecución usó demasiada memoria, o demasiado tiempo sin pausa, y se detuvo.",
    paused: "Tu código se ha detenido varias veces. Espera un minuto e inténtalo de nuevo.",
  },
  traceback: "Dónde falló",
  output: "Salida del código",
  nothing: "El código no mostró nada.",
  cut: "El resto de la salida no se muestra.",
  result: "Resultado",
  files: "Archivos del código",
  leftOut: (names) => `Demasiado grandes o demasiados: ${names}`,
  download: "Descargar",
  downloadOf: (name) => `Descargar ${name}`,
  keep: "Guardar en mis archivos",
  keepOf: (name) => `Guardar ${name} en mis archivos`,
  kept: "Guardado",
  keepFailed: (name) => `No se pudo guardar ${name}`,
  filesUnreadable: "No se pudieron leer los archivos del chat, así que el código se ejecuta sin ellos.",
  unloaded: "No se pudo cargar el marco para el código.",
  tooMuch: "El código mostró demasiado texto a la vez y se detuvo.",
  unreachable: "No se pudo ejecutar el código",
  step: {
    running: "Ejecutando código",
    done: "Código ejecutado",
    failed: "Código ejecutado con error",
    code: "Código",
  },
} satisfies AppTexts["chat/code-runs"];
