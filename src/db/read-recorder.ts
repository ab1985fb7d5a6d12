import type { Knex } from 'knex'
import { type FieldPacket, format, type SqlValue } from 'mysql2'
import { digestOf, digestSql, isRepeatable, type Row } from './row-digest.ts'

/** A statement that computes the digests of the rows of a read, and those of the rows that the read has received. */
export type Validation = { readonly sql: string; readonly digest: string }

/** The fewest statements of a read that is validated: one takes as long as its validation. */
const MIN_STATEMENTS = 2
/** The most rows of a read that is validated: the database takes a microsecond to digest each. */
const MAX_ROWS = 5000

/** A statement as the query builder has sent it, with the driver's reply. */
type SentStatement = {
  readonly sql: string
  readonly bindings: readonly SqlValue[]
  /** With its values, instead of bindings. */
  readonly text?: string
  readonly response: readonly [rows: readonly Row[], fields: readonly FieldPacket[] | undefined]
}

/** Records the statements of one read at a time. */
export class ReadRecorder {
  /** Sends statements through the pool, and records them. */
  readonly sql: Knex
  #sent: SentStatement[] = []
  #isRepeatable = true

  constructor(pool: Knex) {
    this.sql = pool.withUserParams({})
    this.sql.on('query-response', (_rows: unknown, sent: SentStatement) => this.#sent.push(sent))
    // Listeners of the pool, which it has copied, also learn of the statements if they are added later.
    this.sql.removeAllListeners('query')
    this.sql.on('query', (statement: object) => pool.emit('query', statement))
  }

  /** Notes that the result depends on more than rows. */
  readonly markVolatile = <T>(value: T): T => {
    this.#isRepeatable = false
    return value
  }

  /** Undefined if the result depends on more than rows, or its validation would take as long as the read. */
  validation(): Validation | undefined {
    const sent = this.#sent
    const rows = sent.reduce((sum, { response: [rows] }) => sum + rows.length, 0)
    const isWorthwhile = sent.length >= MIN_STATEMENTS && rows <= MAX_ROWS
    if (!isWorthwhile || !this.#isRepeatable || !sent.every(isDigestible)) return undefined
    const digests = sent.map(({ response: [rows, fields = []] }) => digestOf(rows, namesOf(fields)))
    if (digests.includes(undefined)) return undefined
    const selects = sent.map(({ sql, bindings, text, response: [, fields = []] }) =>
      digestSql(text ?? format(sql, [...bindings], true), fields.length),
    )
    return { sql: `SELECT CONCAT_WS(',', ${selects.join(', ')}) AS digest`, digest: digests.join() }
  }

  /** Forgets the statements. */
  clear(): void {
    this.#sent = []
    this.#isRepeatable = true
  }
}

const namesOf = (fields: readonly FieldPacket[]): string[] => fields.map(({ name }) => name)

const isDigestible = ({ sql, response: [, fields] }: SentStatement): boolean =>
  fields !== undefined && isRepeatable(sql)
