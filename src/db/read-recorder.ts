import { type FieldPacket, format, type SqlValue } from 'mysql2'
import { digestOf, digestSql, isRepeatable, type Row } from './row-digest.ts'
import type { Sender, Statement } from './sender.ts'

/** A statement that computes the digests of the rows of a read, and those of the rows that the read has received. */
export type Validation = { readonly sql: string; readonly digest: string }

/** The fewest statements of a read that is validated: one takes as long as its validation. */
const MIN_STATEMENTS = 2
/** The most rows of a read that is validated: the database takes a microsecond to digest each. */
const MAX_ROWS = 5000

type AnsweredStatement = {
  readonly statement: Statement
  readonly rows: readonly Row[]
  readonly fields: readonly FieldPacket[] | undefined
}

/** Records the statements of one read. */
export class ReadRecorder {
  /** Sends statements through the pool, and records them. */
  readonly sender: Sender
  readonly #answered: AnsweredStatement[] = []
  #isRepeatable = true

  constructor(pool: Sender) {
    this.sender = {
      send: async (statement) => {
        const reply = await pool.send(statement)
        this.#answered.push({
          statement,
          rows: reply.rows as readonly Row[],
          fields: reply.fields,
        })
        return reply
      },
      // What is streamed is too much to be kept.
      stream: (statement) => this.markVolatile(pool.stream(statement)),
    }
  }

  /** Notes that the result depends on more than rows. */
  readonly markVolatile = <T>(value: T): T => {
    this.#isRepeatable = false
    return value
  }

  /** Undefined if the result depends on more than rows, or its validation would take as long as the read. */
  validation(): Validation | undefined {
    const answered = this.#answered
    const rows = answered.reduce((sum, one) => sum + one.rows.length, 0)
    const isWorthwhile = answered.length >= MIN_STATEMENTS && rows <= MAX_ROWS
    if (!isWorthwhile || !this.#isRepeatable || !answered.every(isDigestible)) return undefined
    const digests = answered.map((one) => digestOf(one.rows, namesOf(one.fields ?? [])))
    if (digests.includes(undefined)) return undefined
    const selects = answered.map(({ statement: { sql, bindings = [], text }, rows, fields = [] }) =>
      digestSql(
        withoutLimit(text ?? format(sql, bindings as SqlValue[], true), rows.length),
        fields.length,
      ),
    )
    return { sql: `SELECT CONCAT_WS(',', ${selects.join(', ')}) AS digest`, digest: digests.join() }
  }
}

/**
 * A statement without the limit at its end if it has returned fewer rows than that. It returns the same rows, and the server digests them while it
 * reads them; with a limit it would copy them into a temporary table before. More rows than the limit have another digest.
 */
const withoutLimit = (sql: string, rows: number): string =>
  sql.replace(/\s+LIMIT\s+(\d+)\s*$/i, (limit, most) => (rows < Number(most) ? '' : limit))

const namesOf = (fields: readonly FieldPacket[]): string[] => fields.map(({ name }) => name)

const isDigestible = ({ statement: { sql }, fields }: AnsweredStatement): boolean =>
  fields !== undefined && isRepeatable(sql)
