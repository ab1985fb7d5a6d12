import type { Socket } from 'node:net'
import type { Connection, ExecuteValues, FieldPacket, QueryError } from 'mysql2'
import { isRetryable } from './database-error.ts'

/** The driver's connection and its socket. */
export type RawConnection = Connection & { readonly stream: Socket }

/** The driver's reply to a statement: rows, or a header with the number of affected rows. */
export type Reply = (error: Error | null, rows?: unknown, fields?: FieldPacket[]) => void

/** The part of the driver's connection that the query builder uses. */
export type StatementSender = {
  query(statement: { readonly sql: string }, values: unknown[] | undefined, reply: Reply): void
}

type QueuedStatement = {
  /** The text with its values. */
  readonly sql: string
  /** Values of a statement that is sent by itself, prepared. */
  readonly values?: unknown[] | undefined
  /** It is sent with the next statement that is needed. */
  readonly waits: boolean
  /** Its caller does not wait for the result: if it fails in a transaction, nothing after it may run. */
  readonly isUnchecked: boolean
  /** In bytes. */
  readonly size: number
  readonly reply: Reply
}

export type StatementQueueOptions = {
  /** Number of statements in a packet. */
  readonly maxStatements: number
  /** Size of a packet of several statements, in bytes. */
  readonly maxBytes: number
  /** How long the reply to each statement of a packet may take, in milliseconds. */
  readonly replyTimeoutMs: number
  /** How long a transaction that has read may stay open without use, in milliseconds. */
  readonly openMs: number
  /** The error after that time. */
  readonly noReply: (ms: number) => Error
  /** Transactions only read: `COMMIT` is sent with the next one, or after a moment. */
  readonly isReadOnly: boolean
}

/** What a command of the driver has received so far. The driver's types do not cover it. */
type PacketCommand = {
  /** The statement whose reply comes next, or is incomplete. */
  readonly _resultIndex: number
  readonly _rows: readonly unknown[]
  readonly _fields: readonly (FieldPacket[] | undefined)[]
  on(event: 'fields', listener: () => void): void
}

const NOTHING_RECEIVED: PacketCommand = { _resultIndex: 0, _rows: [], _fields: [], on: () => {} }

const [BEGIN, COMMIT, ROLLBACK] = ['BEGIN', 'COMMIT', 'ROLLBACK']

/**
 * Sends the statements of one connection, several in a packet: all statements of a tick of the event loop travel together, and with them those
 * that wait. The server runs the statements of a packet in order and stops at the first error, so no COMMIT follows a write that has failed.
 *
 * - `BEGIN` waits for the first statement. `ROLLBACK` drops the statements that were not sent.
 * - If a statement fails, those after it are sent again, as if it had been sent alone. But nobody has looked at the result of one that waits: if it
 *   fails in a transaction, all statements after it fail with its error until the rollback. The same holds if the server has rolled the transaction back.
 * - `COMMIT` of a transaction that only reads waits for the next transaction, at most `openMs`.
 * - A transaction whose `COMMIT` fails is rolled back before the error is returned.
 */
export class StatementQueue {
  readonly #connection: RawConnection
  readonly #options: StatementQueueOptions
  #queued: QueuedStatement[] = []
  #isSending = false
  /** `BEGIN` was called, and the end of the transaction was not sent. */
  #isInTransaction = false
  /** `BEGIN` was sent. */
  #isOpen = false
  /** The error after which the transaction can only be rolled back. */
  #failure: Error | undefined
  /** Of the statements that wait, about, in bytes. */
  #waitingSize = 0

  constructor(connection: RawConnection, options: StatementQueueOptions) {
    this.#connection = connection
    this.#options = options
  }

  /** Sends a statement in the packet of this tick. */
  readonly inPacket: StatementSender = {
    query: ({ sql }, values = [], reply) => {
      // The query builder ends the statements of a transaction with a semicolon.
      const text = sql.endsWith(';') ? sql.slice(0, -1) : sql
      if (text === BEGIN) this.#begin(reply)
      else if (text === ROLLBACK) this.#rollBack(reply)
      else if (text === COMMIT && this.#options.isReadOnly) this.#commitLater(reply)
      else
        this.#add({
          sql: this.#connection.format(text, values),
          waits: false,
          isUnchecked: false,
          reply,
        })
    },
  }

  /** Sends a statement by itself, prepared: long values travel as raw bytes. */
  readonly alone: StatementSender = {
    query: ({ sql }, values = [], reply) =>
      this.#add({ sql, values, waits: false, isUnchecked: false, reply }),
  }

  /**
   * Sends a statement together with the next one that is needed.
   * @param values of a statement that is sent by itself, see `alone`; undefined if the text has its values
   */
  later(sql: string, values: unknown[] | undefined, reply: Reply): void {
    this.#add({ sql, values, waits: true, isUnchecked: true, reply })
  }

  /** Sends what waits. Resolves when everything that was added so far has succeeded. */
  flush(): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure)
    const last = this.#queued.at(-1)
    if (!last && !this.#isSending) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const settle = (error: Error | null): void => (error ? reject(error) : resolve())
      if (last) {
        const reply: Reply = (error, ...rest) => {
          last.reply(error, ...rest)
          settle(error)
        }
        if (last.waits) this.#waitingSize -= last.size
        this.#queued[this.#queued.length - 1] = { ...last, waits: false, reply }
        this.#sendSoon()
      } else {
        // It is answered after the packet that is on its way.
        this.#push('DO 0', false, settle)
      }
    })
  }

  /** Adds a statement of the transaction itself. */
  #push(sql: string, waits: boolean, reply: Reply): void {
    this.#queued.push({ sql, waits, isUnchecked: waits, size: 0, reply })
    if (!waits) this.#sendSoon()
  }

  #begin(reply: Reply): void {
    const isEnding = this.#queued.some(endsTransaction) || this.#isSending
    // The query builder has given a rollback up: BEGIN would commit.
    if (this.#isOpen && !isEnding) this.#push(ROLLBACK, true, () => {})
    this.#isInTransaction = true
    this.#failure = undefined
    this.#push(BEGIN, true, () => {})
    reply(null, [])
  }

  /** Nothing is locked for others, except against changes of the tables themselves. */
  #commitLater(reply: Reply): void {
    this.#failure = undefined
    this.#push(COMMIT, true, () => {})
    const commit = this.#queued.at(-1)
    const sending = setTimeout(() => {
      if (commit && this.#queued.includes(commit)) void this.flush().catch(() => {})
    }, this.#options.openMs)
    sending.unref()
    reply(null, [])
  }

  #rollBack(reply: Reply): void {
    // The rollback of the transaction before may not be sent yet.
    const from = this.#queued.findLastIndex(endsTransaction) + 1
    const dropped = this.#take(from)
    const isUnsent = dropped.some(({ sql }) => sql === BEGIN)
    const error = this.#failure ?? new Error('the transaction was rolled back')
    for (const statement of dropped) statement.reply(error)
    this.#failure = undefined
    if (!isUnsent && (this.#isSending || this.#isOpen)) {
      this.#push(ROLLBACK, false, reply)
      return
    }
    this.#isInTransaction = this.#queued.length > 0
    reply(null, [])
  }

  #add(statement: Omit<QueuedStatement, 'size'>): void {
    if (this.#failure) {
      this.#fail([statement], this.#failure)
      return
    }
    const size = sizeOf(statement)
    this.#queued.push({ ...statement, size })
    if (statement.waits) this.#waitingSize += size
    if (!statement.waits || this.#isFull()) this.#sendSoon()
  }

  /** What waits is kept in memory. */
  #isFull(): boolean {
    return this.#waitingSize > this.#options.maxBytes
  }

  /** After all code that runs now has added its statements. */
  #sendSoon(): void {
    setImmediate(() => this.#sendNext())
  }

  #sendNext(): void {
    if (this.#isSending || (this.#queued.every(({ waits }) => waits) && !this.#isFull())) return
    this.#isSending = true
    const packet = this.#takePacket()
    const { replyTimeoutMs, noReply } = this.#options
    const { stream } = this.#connection
    const timer = setTimeout(() => stream.destroy(noReply(replyTimeoutMs)), replyTimeoutMs)
    // On a closed connection the driver replies at once.
    let command = NOTHING_RECEIVED
    const reply: Reply = (error, rows, fields) => {
      clearTimeout(timer)
      this.#isSending = false
      if (error) this.#receiveError(packet, error, command)
      else this.#receive(packet, rows, fields, command)
      this.#sendNext()
    }
    try {
      command = this.#send(packet, reply)
    } catch (error) {
      // The driver refuses a value, and has sent nothing.
      reply(error as Error)
    }
    if (packet.length > 1) command.on('fields', () => timer.refresh())
  }

  /** The first statements that may travel together. */
  #takePacket(): QueuedStatement[] {
    const { maxStatements, maxBytes } = this.#options
    const queued = this.#queued
    let count = 0
    for (let bytes = 0; count < queued.length && count < maxStatements; count += 1) {
      const { size, values } = queued[count] as QueuedStatement
      bytes += size + SEPARATOR.length
      const isAlone = values !== undefined
      if (count > 0 && (isAlone || bytes > maxBytes)) break
      if (isAlone) {
        count = 1
        break
      }
    }
    return this.#take(0, count)
  }

  /** Takes statements out of the queue [all from there]. */
  #take(from: number, count = this.#queued.length): QueuedStatement[] {
    const taken = this.#queued.splice(from, count)
    for (const { waits, size } of taken) if (waits) this.#waitingSize -= size
    return taken
  }

  #send(packet: readonly QueuedStatement[], reply: Reply): PacketCommand {
    const [{ sql, values } = { sql: '' }] = packet
    if (packet.some((statement) => statement.sql === BEGIN)) this.#isOpen = true
    const connection = this.#connection
    const command =
      values === undefined
        ? connection.query(packet.map((statement) => statement.sql).join(SEPARATOR), reply)
        : connection.execute(sql, values as ExecuteValues, reply)
    return command as unknown as PacketCommand
  }

  #receive(
    packet: readonly QueuedStatement[],
    rows: unknown,
    fields: unknown,
    { _resultIndex: last }: PacketCommand,
  ): void {
    const received = last + 1
    if (received !== packet.length) {
      this.#refuseReplies(packet, received)
      return
    }
    const [results, columns] = packet.length === 1 ? [[rows], [fields]] : [rows, fields]
    for (const [index, statement] of packet.entries())
      this.#succeed(statement, (results as unknown[])[index], (columns as unknown[])[index])
  }

  /** The state of the connection is unknown. */
  #refuseReplies(packet: readonly QueuedStatement[], received: number): void {
    const error = Object.assign(
      new Error(
        `the database replied to ${received} of ${packet.length} statements. If a proxy between service and database does not take several statements in a packet, set DB_BATCH=0`,
      ),
      { fatal: true, code: 'PROTOCOL_CONNECTION_LOST' },
    )
    this.#connection.stream.destroy(error)
    this.#receiveError(packet, error, NOTHING_RECEIVED)
  }

  #succeed(statement: QueuedStatement | undefined, rows: unknown, fields: unknown): void {
    if (statement && endsTransaction(statement)) {
      this.#isOpen = false
      this.#isInTransaction = this.#queued.some(({ sql }) => sql === BEGIN)
    }
    if (statement?.sql === BEGIN) this.#isInTransaction = this.#isOpen = true
    statement?.reply(null, rows, fields as FieldPacket[])
  }

  #receiveError(
    packet: readonly QueuedStatement[],
    error: Error,
    { _resultIndex: at, _rows: rows, _fields: fields }: PacketCommand,
  ): void {
    // The driver sets this property to all statements with their values.
    Reflect.deleteProperty(error, 'sql')
    const failedAt = packet.length === 1 ? 0 : at
    for (const [index, statement] of packet.slice(0, failedAt).entries())
      this.#succeed(statement, rows[index], fields[index])
    const failed = packet[failedAt] as QueuedStatement
    const after = packet.slice(failedAt + 1)
    const isFatal = (error as QueryError).fatal === true
    if (isFatal || this.#isFinal(failed, after, error)) {
      // The rollback follows, and what belongs to the next transaction.
      const end = this.#queued.findIndex(({ sql }) => sql === ROLLBACK)
      const isEnded = end >= 0 && !isFatal
      const rest = this.#take(0, isEnded ? end : undefined)
      // The server ends the transaction of a lost connection.
      if (isFatal) this.#isOpen = false
      this.#failure = this.#isInTransaction && !isEnded ? error : undefined
      this.#fail([failed, ...after, ...rest], error)
    } else {
      this.#queued.unshift(...after)
      for (const { waits, size } of after) if (waits) this.#waitingSize += size
      this.#fail([failed], error)
    }
  }

  /** Whether the transaction can only be rolled back. */
  #isFinal(failed: QueuedStatement, after: readonly QueuedStatement[], error: Error): boolean {
    if (!this.#isInTransaction) return false
    if (failed.isUnchecked) return true
    return !this.#options.isReadOnly && (isRetryable(error) || after.some(endsTransaction))
  }

  /** Passes an error on. After a failed COMMIT the query builder returns the connection as it is, so the transaction is rolled back first. */
  #fail(statements: readonly Pick<QueuedStatement, 'sql' | 'reply'>[], error: Error): void {
    for (const [index, { sql, reply }] of statements.entries()) {
      // Each caller adds its statement to the message.
      const own = index === 0 ? error : Object.assign(new Error(error.message), error)
      if (sql === COMMIT && this.#isOpen) this.#rollBack(() => reply(own))
      else reply(own)
    }
  }
}

const endsTransaction = ({ sql }: Pick<QueuedStatement, 'sql'>): boolean =>
  sql === COMMIT || sql === ROLLBACK

function sizeOf({ sql, values = [] }: Pick<QueuedStatement, 'sql' | 'values'>): number {
  let size = Buffer.byteLength(sql)
  for (const value of values)
    if (typeof value === 'string' || Buffer.isBuffer(value)) size += value.length
  return size
}

/** The first line break ends a comment. */
const SEPARATOR = '\n;\n'
