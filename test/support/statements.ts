import { Readable } from 'node:stream'
import knex, { type Knex } from 'knex'
import type { Database, Db } from '../../src/db/database.ts'
import type { Sender, Statement } from '../../src/db/sender.ts'

/**
 * Records the statements that `work` sends to the database. `work` receives the growing list.
 * @param textOf what is recorded of a statement [without its values; a table may be one]
 */
export async function statementsOf(
  db: Pick<Database, 'statements'>,
  work: (statements: readonly string[]) => Promise<unknown>,
  textOf: (statement: Statement) => string = ({ sql }) => sql,
): Promise<string[]> {
  const statements: string[] = []
  const note = (statement: Statement): void => void statements.push(textOf(statement))
  db.statements.on('sent', note)
  try {
    await work(statements)
  } finally {
    db.statements.off('sent', note)
  }
  return statements
}

/** The number of reads that `work` sends. The use of its token is stored beside them, and the commit of that may come later. */
export async function countReads(
  db: Pick<Database, 'statements'>,
  work: () => Promise<unknown>,
): Promise<number> {
  const statements = await statementsOf(db, work)
  return statements.filter((statement) => /^[\s(]*(select|with)/i.test(statement)).length
}

/** The same connections, with something that happens before each statement. `text` contains the values of statements that have no bindings. */
export const beforeStatements = (
  sender: Sender,
  happen: (statement: Statement) => Promise<unknown>,
): Sender => ({
  send: async (statement) => {
    await happen(statement)
    return sender.send(statement)
  },
  stream: (statement) => sender.stream(statement),
})

/** Sends statements through the query builder, for example one of its transactions. */
export const senderOf = (sql: Knex): Sender => ({
  send: async (statement) => {
    const { sql: text, bindings } = statement
    const [rows, fields] = bindings
      ? await sql.raw(text, bindings as Knex.RawBinding[])
      : await sql.raw((statement.text ?? text).replaceAll('?', '\\?'))
    return { rows, fields }
  },
  stream: () => {
    throw new Error('the query builder of tests does not stream')
  },
})

const builder = knex({ client: 'mysql2' })

/** A query builder whose statements are sent by a pool, a transaction or a snapshot. It has no transactions. */
export function sqlOf({ sender }: Pick<Db, 'sender'>): Knex {
  const sending = <T extends object>(built: T): T =>
    new Proxy(built, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key)
        const statement = target as unknown as Knex.QueryBuilder
        if (key === 'then' && 'toSQL' in target)
          return (...next: Parameters<Promise<unknown>['then']>) =>
            send(sender, statement).then(...next)
        if (key === 'catch') return (next: () => unknown) => send(sender, statement).catch(next)
        if (key === 'stream')
          return () => Readable.from(sender.stream(statement.toSQL().toNative() as Statement))
        if (typeof value !== 'function') return value
        return (...args: unknown[]): unknown => {
          const result: unknown = value.apply(target, args)
          return isBuilt(result) ? sending(result) : result
        }
      },
      apply: (target, _self, args) => {
        const result: unknown = Reflect.apply(target as never, undefined, args)
        return isBuilt(result) ? sending(result) : result
      },
    })
  return sending(builder) as Knex
}

const isBuilt = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && ('toSQL' in value || 'merge' in value)

/** Returns what the query builder would return. */
async function send(sender: Sender, built: Knex.QueryBuilder): Promise<unknown> {
  const { method, pluck, toNative } = built.toSQL() as Knex.Sql & { readonly pluck?: string }
  const { rows } = await sender.send(toNative() as Statement)
  const header = rows as { readonly insertId: number; readonly affectedRows: number }
  const list = rows as Record<string, unknown>[]
  if (method === 'first') return list[0]
  if (method === 'pluck') return list.map((row) => row[pluck?.split('.').at(-1) ?? ''])
  if (method === 'insert') return [header.insertId]
  if (method === 'raw') return [rows]
  return ['del', 'update', 'counter'].includes(method) ? header.affectedRows : rows
}
