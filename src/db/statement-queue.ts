import { type ExecuteValues, type FieldPacket, format, type SqlValue } from 'mysql2'
import { isRetryable } from './database-error.ts'
import { connectionLost, limitSilence, noReply, type RawConnection } from './reply-timeout.ts'
import type { Reply, Statement, TransactionSender } from './sender.ts'
import { hasLongTexts } from './statement-text.ts'

type Settle = (error: Error | null, reply?: Reply) => void

type QueuedStatement = Statement & {
  /** What is sent: with its values, or with `?` for each of them. */
  readonly sent: string
  /** Values of a statement that is sent by itself, prepared. */
  readonly values?: readonly unknown[] | undefined
  /** It begins or ends the transaction. */
  readonly step?: TransactionStep | undefined
  /** It is sent with the next statement that is needed. */
  readonly waits: boolean
  /** Its caller does not wait for the result: if it fails in a transaction, nothing after it may run. */
  readonly isUnchecked: boolean
  /** It is sent by itself, so that an error is its own. */
  readonly isAlone?: boolean
  /** In bytes. */
  readonly size: number
  readonly settle: Settle
}

type TransactionStep = 'BEGIN' | 'COMMIT' | 'ROLLBACK'

export type StatementQueueOptions = {
  /** Number of statements in a packet. */
  readonly maxStatements: number
  /** Size of a packet of several statements, in bytes. */
  readonly maxBytes: number
  /** How long the reply to each statement of a packet may take, in milliseconds. */
  readonly replyTimeoutMs: number
  /** How long a transaction that has read may stay open without use, in milliseconds. */
  readonly openMs: number
  /** Learns of each statement and its reply. */
  readonly observe: StatementObserver
}

export type StatementObserver = {
  sent(statement: Statement): void
  answered(statement: Statement, reply: Reply): void
}

/** The results of a packet, as far as they have arrived. The last rows may be incomplete. */
type Received = { rows: unknown; readonly fields: readonly FieldPacket[] | undefined }[]

/**
 * Sends the statements of one connection, several in a packet: all statements of a tick of the event loop travel together, and with them those
 * that wait. The server runs the statements of a packet in order and stops at the first error, so no COMMIT follows a write that has failed.
 *
 * - `BEGIN` waits for the first statement. `rollback` drops the statements that were not sent.
 * - If a statement fails, those after it are sent again, as if it had been sent alone. But nobody has looked at the result of one that waits: if it
 *   fails in a transaction, all statements after it fail with its error until the rollback. The same holds if the server has rolled the transaction back.
 * - `COMMIT` of a transaction that only reads waits for the next transaction, at most `openMs`.
 * - A transaction whose `COMMIT` fails is rolled back before the error is returned.
 */
export class StatementQueue implements TransactionSender {
  readonly #connection: RawConnection
  readonly #options: StatementQueueOptions
  #queued: QueuedStatement[] = []
  #isSending = false
  /** Ends the packet that is on its way when the connection is lost. */
  #lose: (error: Error) => void = () => {}
  /** `begin` was called, and the end of the transaction was not sent. */
  #isInTransaction = false
  /** `BEGIN` was sent. */
  #isOpen = false
  /** The transaction only reads. */
  #isReadOnly = false
  /** The error after which the transaction can only be rolled back. */
  #failure: Error | undefined
  /** Of the statements that wait, about, in bytes. */
  #waitingSize = 0

  constructor(connection: RawConnection, options: StatementQueueOptions) {
    this.#connection = connection
    this.#options = options
    // A command without a callback does not learn of it.
    connection.on('error', (error: Error) => this.#lose(error))
    connection.stream.once('close', () => this.#lose(connectionLost()))
  }

  get connection(): RawConnection {
    return this.#connection
  }

  send(statement: Statement): Promise<Reply> {
    return this.#queue(statement, false)
  }

  later(statement: Statement): Promise<Reply> {
    return this.#queue(statement, true)
  }

  async *stream(statement: Statement): AsyncGenerator<unknown> {
    // The driver sends it at once: what waits comes first, such as the begin of a snapshot.
    await this.flush()
    this.#options.observe.sent(statement)
    const rows = this.#connection.query(readyOf(statement).sent).stream()
    limitSilence(this.#connection, rows, this.#options.replyTimeoutMs)
    yield* rows
  }

  flush(): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure)
    const last = this.#queued.at(-1)
    if (!last && !this.#isSending) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const settle: Settle = (error) => (error ? reject(error) : resolve())
      // If somebody waits for the last statement, its error belongs to that caller only.
      if (last?.isUnchecked) {
        const both: Settle = (error, reply) => {
          last.settle(error, reply)
          settle(error)
        }
        if (last.waits) this.#waitingSize -= last.size
        this.#queued[this.#queued.length - 1] = { ...last, waits: false, settle: both }
        this.#sendSoon()
      } else {
        // It is answered after what was sent before it.
        this.#push({ sql: 'DO 0', waits: false, settle })
      }
    })
  }

  begin({ isReadOnly = false }: { readonly isReadOnly?: boolean } = {}): void {
    this.#isInTransaction = true
    this.#isReadOnly = isReadOnly
    this.#failure = undefined
    this.#pushStep('BEGIN', true, () => {})
  }

  commit(): Promise<void> {
    if (this.#isReadOnly) {
      this.#commitLater()
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const settle: Settle = (error) => (error ? reject(error) : resolve())
      if (this.#failure) this.#rollBackAfter(this.#failure, settle)
      else this.#pushStep('COMMIT', false, settle)
    })
  }

  rollback(): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#rollBack((error) => (error ? reject(error) : resolve())),
    )
  }

  #queue(statement: Statement, waits: boolean): Promise<Reply> {
    const { observe } = this.#options
    observe.sent(statement)
    const ready = readyOf(statement)
    return new Promise((resolve, reject) => {
      const settle: Settle = (error, reply) => {
        if (error || !reply) return reject(error)
        observe.answered(statement, reply)
        resolve(reply)
      }
      if (this.#failure) settle(copyOf(this.#failure))
      else this.#add({ ...ready, waits, isUnchecked: waits, size: sizeOf(ready), settle })
    })
  }

  #add(statement: QueuedStatement): void {
    this.#queued.push(statement)
    if (statement.waits) this.#waitingSize += statement.size
    if (!statement.waits || this.#isFull()) this.#sendSoon()
  }

  /** Adds a statement without values. */
  #push(statement: Pick<QueuedStatement, 'sql' | 'step' | 'waits' | 'settle'>): void {
    const { sql, waits } = statement
    this.#add({ ...statement, sent: sql, isUnchecked: waits, size: 0 })
  }

  #pushStep(step: TransactionStep, waits: boolean, settle: Settle): void {
    this.#options.observe.sent({ sql: step })
    this.#push({ sql: step, step, waits, settle })
  }

  /** Nothing is locked for others, except against changes of the tables themselves. */
  #commitLater(): void {
    this.#failure = undefined
    this.#pushStep('COMMIT', true, () => {})
    const commit = this.#queued.at(-1)
    const sending = setTimeout(() => {
      if (commit && this.#queued.includes(commit)) void this.flush().catch(() => {})
    }, this.#options.openMs)
    sending.unref()
  }

  #rollBack(settle: Settle): void {
    // The end of the transaction before may not be sent yet.
    const from = this.#queued.findLastIndex(endsTransaction) + 1
    const dropped = this.#take(from)
    const isUnsent = dropped.some(({ step }) => step === 'BEGIN')
    const error = this.#failure ?? new Error('the transaction was rolled back')
    for (const statement of dropped) statement.settle(error)
    this.#failure = undefined
    if (!isUnsent && (this.#isSending || this.#isOpen)) {
      this.#pushStep('ROLLBACK', false, (failed) => {
        // Nobody else may get a connection with an open transaction.
        if (failed) this.#connection.stream.destroy()
        settle(failed)
      })
      return
    }
    this.#isInTransaction = this.#queued.length > 0
    settle(null)
  }

  /** The error of the transaction says why, not that of its rollback. */
  #rollBackAfter(error: Error, settle: Settle): void {
    this.#rollBack(() => settle(error))
  }

  /** What waits is kept in memory. */
  #isFull(): boolean {
    return this.#waitingSize > this.#options.maxBytes
  }

  /** After all code that runs now has added its statements, if several can travel together. */
  #sendSoon(): void {
    if (this.#options.maxStatements === 1) this.#sendNext()
    else setImmediate(() => this.#sendNext())
  }

  #sendNext(): void {
    if (this.#isSending || (this.#queued.every(({ waits }) => waits) && !this.#isFull())) return
    this.#isSending = true
    const packet = withoutNeedlessCommits(this.#takePacket())
    if (packet.some(({ step }) => step === 'BEGIN')) this.#isOpen = true
    const { replyTimeoutMs } = this.#options
    const { stream } = this.#connection
    const timer = setTimeout(() => stream.destroy(noReply(replyTimeoutMs)), replyTimeoutMs)
    const received: Received = []
    let isAnswered = false
    const end = (error?: Error): void => {
      if (isAnswered) return
      isAnswered = true
      clearTimeout(timer)
      this.#lose = () => {}
      this.#isSending = false
      if (error) this.#receiveError(packet, error, received)
      else this.#receive(packet, received)
      this.#sendNext()
    }
    this.#lose = (error) => end(Object.assign(error, { fatal: true }))
    try {
      this.#send(packet, received, end, timer)
    } catch (error) {
      // The driver refuses a value, and has sent nothing.
      end(error as Error)
    }
  }

  /** The first statements that may travel together. */
  #takePacket(): QueuedStatement[] {
    const { maxStatements, maxBytes } = this.#options
    const queued = this.#queued
    let count = 0
    for (let bytes = 0; count < queued.length && count < maxStatements; count += 1) {
      const { size, values, isAlone = values !== undefined } = queued[count] as QueuedStatement
      bytes += size + SEPARATOR.length
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

  /** Sends a packet. The driver tells of each result as it arrives: `fields` begins one, `result` is one of its rows, or its header. */
  #send(
    packet: readonly QueuedStatement[],
    received: Received,
    end: (error?: Error) => void,
    timer: NodeJS.Timeout,
  ): void {
    const connection = this.#connection
    const [{ sent, values } = { sent: '' }] = packet
    if (packet.length === 1) {
      const reply = (error: Error | null, rows: unknown, fields: FieldPacket[]): void => {
        if (!error) received.push({ rows, fields })
        end(error ?? undefined)
      }
      if (values) connection.execute(sent, [...values] as ExecuteValues, reply)
      else connection.query(sent, reply)
      return
    }
    connection
      .query(packet.map((statement) => statement.sent).join(SEPARATOR))
      .on('fields', (fields: FieldPacket[] | undefined) => {
        received.push({ rows: fields && [], fields })
        timer.refresh()
      })
      .on('result', (result: unknown) => {
        const last = received.at(-1)
        if (!last) return
        if (last.fields) (last.rows as unknown[]).push(result)
        else last.rows = result
      })
      .on('error', end)
      .on('end', () => end())
  }

  #receive(packet: readonly QueuedStatement[], received: Received): void {
    if (received.length !== packet.length) {
      this.#refuseReplies(packet, received.length)
      return
    }
    for (const [index, statement] of packet.entries())
      this.#succeed(statement, received[index] as Reply)
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
    this.#receiveError(packet, error, [])
  }

  #succeed(statement: QueuedStatement, reply: Reply): void {
    if (endsTransaction(statement)) {
      this.#isOpen = false
      this.#isInTransaction = this.#queued.some(({ step }) => step === 'BEGIN')
    }
    if (statement.step === 'BEGIN') this.#isInTransaction = this.#isOpen = true
    statement.settle(null, reply)
  }

  #receiveError(packet: readonly QueuedStatement[], error: Error, received: Received): void {
    // The driver sets this property to all statements with their values.
    Reflect.deleteProperty(error, 'sql')
    // After rows, the error is that of their statement, or of the next one: the driver does not tell.
    const isBetween = packet.length > 1 && received.at(-1)?.fields !== undefined
    const failedAt = isBetween ? received.length - 1 : packet.length === 1 ? 0 : received.length
    for (const [index, statement] of packet.slice(0, failedAt).entries())
      this.#succeed(statement, received[index] as Reply)
    const rest = packet.slice(failedAt)
    const [failed, ...after] = rest as [QueuedStatement, ...QueuedStatement[]]
    const isFatal = (error as { fatal?: unknown }).fatal === true
    if (isBetween && !isFatal && !(this.#isInTransaction && isRetryable(error))) {
      // What has returned rows has only read, and what comes after it has changed nothing: they are sent again, apart.
      this.#requeue([{ ...failed, isAlone: true }, ...after])
      return
    }
    error.message = `${failed.sql} - ${error.message}`
    if (isFatal || this.#isFinal(failed, after, error)) {
      // The rollback follows, and what belongs to the next transaction.
      const end = this.#queued.findIndex(({ step }) => step === 'ROLLBACK')
      const isEnded = end >= 0 && !isFatal
      const queued = this.#take(0, isEnded ? end : undefined)
      // The server ends the transaction of a lost connection.
      if (isFatal) this.#isOpen = false
      this.#failure = this.#isInTransaction && !isEnded ? error : undefined
      this.#fail([...rest, ...queued], error)
    } else {
      this.#requeue(after)
      this.#fail([failed], error)
    }
  }

  #requeue(statements: readonly QueuedStatement[]): void {
    this.#queued.unshift(...statements)
    for (const { waits, size } of statements) if (waits) this.#waitingSize += size
  }

  /** Whether the transaction can only be rolled back. */
  #isFinal(failed: QueuedStatement, after: readonly QueuedStatement[], error: Error): boolean {
    if (!this.#isInTransaction) return false
    if (failed.isUnchecked) return true
    return !this.#isReadOnly && (isRetryable(error) || after.some(endsTransaction))
  }

  #fail(statements: readonly QueuedStatement[], error: Error): void {
    for (const [index, { step, settle }] of statements.entries()) {
      const own = index === 0 ? error : copyOf(error)
      if (step === 'COMMIT' && this.#isOpen) this.#rollBackAfter(own, settle)
      else settle(own)
    }
  }
}

/** What is sent of a statement. */
function readyOf(statement: Statement): Statement & Pick<QueuedStatement, 'sent' | 'values'> {
  const { sql, bindings = [], text } = statement
  if (hasLongTexts(bindings)) return { sql, sent: sql, values: bindings }
  return { sql, sent: text ?? format(sql, bindings as SqlValue[], true) }
}

/** Each caller gets an error of its own. */
const copyOf = (error: Error): Error => Object.assign(new Error(error.message), error)

/** `BEGIN` ends a transaction that has only read, whose `COMMIT` has waited for it. */
const withoutNeedlessCommits = (packet: readonly QueuedStatement[]): readonly QueuedStatement[] =>
  packet.filter(
    ({ step, waits }, index) =>
      !(step === 'COMMIT' && waits && packet[index + 1]?.step === 'BEGIN'),
  )

const endsTransaction = ({ step }: Pick<QueuedStatement, 'step'>): boolean =>
  step === 'COMMIT' || step === 'ROLLBACK'

function sizeOf({ sent, values = [] }: Pick<QueuedStatement, 'sent' | 'values'>): number {
  let size = Buffer.byteLength(sent)
  for (const value of values)
    if (typeof value === 'string' || Buffer.isBuffer(value)) size += value.length
  return size
}

/** The first line break ends a comment. */
const SEPARATOR = '\n;\n'
