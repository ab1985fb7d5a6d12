import type { FieldPacket } from 'mysql2'

/** A statement with its values in the text, or with `?` for each of them. */
export type Statement = {
  /** Without its values, for messages. */
  readonly sql: string
  readonly bindings?: readonly unknown[]
  /** With its values, instead of bindings. */
  readonly text?: string
}

/** What the database has answered. */
export type Reply = {
  /** Rows, or the header of a write. */
  readonly rows: unknown
  /** The columns of the rows; undefined for a header. */
  readonly fields: readonly FieldPacket[] | undefined
}

/** What sends statements: a pool, a transaction, a snapshot, or one of these with something around it. */
export type Sender = {
  send(statement: Statement): Promise<Reply>
  /** Sends a statement whose rows are received one by one, so that their number does not matter. */
  stream(statement: Statement): AsyncIterable<unknown>
}

/** Sends the statements of one transaction. */
export type TransactionSender = Sender & {
  /** Sends a statement with the next one that is needed. */
  later(statement: Statement): Promise<Reply>
  /** Sends what waits. Resolves when it has succeeded. */
  flush(): Promise<void>
}
