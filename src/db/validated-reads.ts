import { isDatabaseUnavailable } from './database-error.ts'
import type { ReadCache } from './read-cache.ts'
import { ReadRecorder, type Validation } from './read-recorder.ts'
import type { Sender } from './sender.ts'

/**
 * A read whose result may be kept. It reads through `db` and returns what nobody changes. What it takes from elsewhere and may be different
 * the next time, for example the time, it passes through `markVolatile`: the result is then not kept.
 */
export type ValidatedRead<Db, T> = (db: Db, markVolatile: MarkVolatile) => Promise<T>

/** Returns the value, and notes that the result depends on more than stored rows. */
export type MarkVolatile = <V>(value: V) => V

type ValidatedReadsOptions<Db> = {
  readonly sender: Sender
  readonly cache: ReadCache
  /** The database that a recorded read uses. */
  readonly recorded: (sender: Sender, markVolatile: MarkVolatile) => Db
}

type StoredRead = { readonly result: object; readonly validation: Validation }

/** Larger results are not kept, in bytes. */
const MAX_SIZE = 256 * 1024

/**
 * Keeps the results of reads and validates them before each use: the database computes digests of the rows that the statements of the read
 * would return now, all in one statement. If they equal the digests of the rows that the read has received, the read would return the same
 * result again. So a result is never older than the request that gets it, whichever program has changed the tables. The database sends one short row
 * instead of hundreds, and nothing is built from them. A read that writes or opens a snapshot is not kept, nor
 * one that fills the read cache: the next one takes fewer statements.
 */
export class ValidatedReads<Db> {
  readonly #options: ValidatedReadsOptions<Db>

  constructor(options: ValidatedReadsOptions<Db>) {
    this.#options = options
  }

  /** Returns the kept result if it is valid, else that of `read`; see `Database.validated`. */
  async run<T extends object>(
    key: string,
    read: ValidatedRead<Db, T>,
    sizeOf: (result: T) => number,
  ): Promise<T> {
    const { cache } = this.#options
    const name = `read ${key}`
    const stored = cache.get(name) as StoredRead | undefined
    if (stored && (await this.#isValid(stored))) return stored.result as T
    cache.delete(name)
    const { sender, recorded } = this.#options
    const recorder = new ReadRecorder(sender)
    const result = await read(
      recorded(recorder.sender, recorder.markVolatile),
      recorder.markVolatile,
    )
    const size = sizeOf(result)
    const validation = size <= MAX_SIZE ? recorder.validation() : undefined
    if (validation)
      cache.set(name, { result, validation }, { size: size + name.length + validation.sql.length })
    return result
  }

  async #isValid({ validation: { sql, digest } }: StoredRead): Promise<boolean> {
    try {
      const { rows } = await this.#options.sender.send({ sql: 'SELECT digests', text: sql })
      const [row] = rows as [{ digest: string }]
      return row.digest === digest
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      // A table or column is gone: the read reports it.
      return false
    }
  }
}
