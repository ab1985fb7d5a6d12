import { pino } from 'pino'

/** The one logger, handed down from the composition root. */
export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'child'>

/**
 * Makes the logger: JSON lines on standard error, so that standard output stays free for answers.
 * Tokens can't get in by accident: the headers that carry them are redacted wherever they appear.
 */
export function createLog(level: string): pino.Logger {
  return pino(
    {
      level,
      redact: {
        paths: ['req.headers.authorization', 'req.headers["x-svc-key"]', 'req.headers.cookie'],
        censor: '[hidden]',
      },
    },
    pino.destination({ dest: 2, sync: true }),
  )
}
