import { createConnection } from 'mysql2'
import { Pool, TimeoutError } from 'tarn'
import { connectionSettings } from './connection.ts'
import { PoolTimeoutError } from './database-error.ts'
import type { RawConnection } from './reply-timeout.ts'
import type { Reply, Sender, Statement, TransactionSender } from './sender.ts'
import { prepareSession, type SessionSettings } from './session.ts'
import { type StatementObserver, StatementQueue } from './statement-queue.ts'

export type PoolSettings = SessionSettings & {
  readonly url: string
  /** Maximum number of connections. */
  readonly size: number
  readonly observe: StatementObserver
}

/** Numbers of connections, the most that may be open, and of reads and transactions that wait for one. */
export type PoolUse = {
  readonly used: number
  readonly free: number
  readonly limit: number
  readonly waiting: number
}

type TransactionOptions = {
  /** Its `COMMIT` waits for the next transaction of the connection, or a moment. */
  readonly isReadOnly?: boolean
}

/** Connections of one kind, opened when they are first needed. As a sender it sends each statement on a free one. */
export class ConnectionPool implements Sender {
  readonly #pool: Pool<StatementQueue>
  readonly #settings: PoolSettings

  constructor(settings: PoolSettings) {
    this.#settings = settings
    this.#pool = new Pool({
      create: () => open(settings),
      // The server, or a time limit, may have ended a connection that is not in use.
      validate: ({ connection: { stream } }) => stream.readable && stream.writable,
      destroy: ({ connection }) => close(connection),
      min: 0,
      max: settings.size,
      acquireTimeoutMillis: settings.timings.db.acquireTimeoutMs,
      // Who waits for a connection that cannot be opened learns why.
      propagateCreateError: true,
    })
  }

  send(statement: Statement): Promise<Reply> {
    return this.#use((queue) => queue.send(statement))
  }

  async *stream(statement: Statement): AsyncGenerator<unknown> {
    const queue = await this.#acquire()
    try {
      yield* queue.stream(statement)
    } finally {
      this.#pool.release(queue)
    }
  }

  /** Runs `work` in a transaction: commits it, or rolls it back if `work` fails. What the work still sends afterwards fails. */
  transaction<T>(
    work: (sender: TransactionSender) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    return this.#use(async (queue) => {
      queue.begin(options)
      const own = endingSender(queue)
      let result: T
      try {
        result = await work(own)
      } catch (error) {
        own.end()
        // On a lost connection the rollback fails too: the error that came first says why.
        await queue.rollback().catch(() => {})
        throw error
      }
      own.end()
      await queue.commit()
      return result
    })
  }

  /** Runs `work` with a sender whose statements share a connection as long as one of them is running. */
  together<T>(work: (sender: Sender) => Promise<T>): Promise<T> {
    let present: Shared | undefined
    const take = (): Shared => {
      present ??= { queue: this.#acquire(), users: 0 }
      present.users += 1
      return present
    }
    const give = (shared: Shared): void => {
      shared.users -= 1
      if (shared.users > 0) return
      if (present === shared) present = undefined
      shared.queue.then(
        (queue) => this.#pool.release(queue),
        () => {},
      )
    }
    return work({
      async send(statement) {
        const shared = take()
        try {
          return await (await shared.queue).send(statement)
        } finally {
          give(shared)
        }
      },
      async *stream(statement) {
        const shared = take()
        try {
          yield* (await shared.queue).stream(statement)
        } finally {
          give(shared)
        }
      },
    })
  }

  /** @param waiting the transactions that wait before they reach the pool */
  use(waiting = 0): PoolUse {
    return {
      used: this.#pool.numUsed(),
      free: this.#pool.numFree(),
      limit: this.#settings.size,
      waiting: this.#pool.numPendingAcquires() + waiting,
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }

  async #use<T>(work: (queue: StatementQueue) => Promise<T>): Promise<T> {
    const queue = await this.#acquire()
    try {
      return await work(queue)
    } finally {
      this.#pool.release(queue)
    }
  }

  async #acquire(): Promise<StatementQueue> {
    try {
      return await this.#pool.acquire().promise
    } catch (error) {
      throw error instanceof TimeoutError
        ? new PoolTimeoutError(this.#settings.timings.db.acquireTimeoutMs)
        : error
    }
  }
}

/** The sender of a transaction: nothing is sent after its end, when the connection may belong to another one. */
function endingSender(queue: StatementQueue): TransactionSender & { end(): void } {
  let isOver = false
  const open = (): StatementQueue => {
    // Code that went on while the work failed, such as another read of a `Promise.all`.
    if (isOver) throw new Error('the transaction has ended')
    return queue
  }
  return {
    send: (statement) => open().send(statement),
    stream: (statement) => open().stream(statement),
    later: (statement) => open().later(statement),
    flush: () => open().flush(),
    end: () => {
      isOver = true
    },
  }
}

/** A connection that statements share, and how many of them use it or wait for it. */
type Shared = { readonly queue: Promise<StatementQueue>; users: number }

async function open(settings: PoolSettings): Promise<StatementQueue> {
  const { url, timings, statements, observe } = settings
  const connection = createConnection({
    ...connectionSettings(url, timings.db.connectTimeoutMs),
    multipleStatements: statements === 'batched',
  }) as RawConnection
  // Without a listener, an error of a connection that nobody uses would end the process.
  connection.on('error', () => {})
  await new Promise<void>((resolve, reject) =>
    connection.connect((error) => (error ? reject(error) : resolve())),
  )
  try {
    const limits = await prepareSession(connection, settings)
    const { replyTimeoutMs, openMs } = timings.db
    return new StatementQueue(connection, { ...limits, replyTimeoutMs, openMs, observe })
  } catch (error) {
    connection.destroy()
    throw error
  }
}

/** Ends a connection; one that does not answer is cut. */
function close(connection: RawConnection): Promise<void> {
  return new Promise((resolve) => {
    connection.stream.once('close', () => resolve())
    if (connection.stream.destroyed) resolve()
    else connection.end(() => connection.stream.destroy())
  })
}
