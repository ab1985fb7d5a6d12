import type { Knex } from 'knex'
import { currentTimings } from '../timings.ts'

type Statement = { readonly __knexQueryUid: string }

/** Adds what each statement takes to the timings of whoever sent it, as `db`. */
export function timeStatements(sql: Knex): void {
  const running = new Map<string, () => void>()
  sql.on('query', ({ __knexQueryUid: id }: Statement) => {
    const timings = currentTimings()
    const begun = performance.now()
    if (timings) running.set(id, () => timings.add('db', performance.now() - begun))
  })
  const end = ({ __knexQueryUid: id }: Statement): void => {
    running.get(id)?.()
    running.delete(id)
  }
  sql.on('query-response', (_rows: unknown, statement: Statement) => end(statement))
  sql.on('query-error', (_error: unknown, statement: Statement) => end(statement))
}
