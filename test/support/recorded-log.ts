import { pino } from 'pino'

/** A log that keeps its lines without redaction, so that whatever is missing here was never logged. */
export function recordLog(level = 'trace') {
  const lines: string[] = []
  const log = pino({ level }, { write: (line) => void lines.push(line) })
  return { log, lines, entries: () => lines.map((line) => JSON.parse(line)) }
}
