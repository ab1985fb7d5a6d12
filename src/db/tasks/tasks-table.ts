import type { Database, Db } from '../database.ts'
import { DUE_NOW, inMs } from '../lease.ts'
import { readRows, runStatement, type Select } from '../sql.ts'
import type { NamedValues } from '../statement-text.ts'
import type { Tx } from '../transaction.ts'

export type TaskTables = { readonly basePrefix: string }

/** What one process does for all: a row for each task. A task that is taken has an owner, until `due_at`. */
export const tasksTable = ({ basePrefix }: TaskTables): string => `${basePrefix}svc_tasks`

/** What identifies the right of a process to a task. */
export type TaskLease = {
  readonly name: string
  /** See `newOwner`. */
  readonly owner: string
  /** How long the process has the task without renewal. */
  readonly leaseMs: number
}

/** What was stored of a task before it was taken. */
export type TakenTask = {
  /** An owner that has lost the task, and may not have noticed. */
  readonly former: string | undefined
  /** JSON. */
  readonly state: string | null
  /** Failures in a row. */
  readonly tries: number
}

/** Who had a task has lost it, or a writer of static copies was fenced: nothing that it would still write may be seen. */
export class LostLeaseError extends Error {
  override readonly name = 'LostLeaseError'

  /** @param owner the task, or the builder */
  constructor(owner: string) {
    super(`the lease of ${owner} is lost`)
  }
}

/**
 * The condition of the rows that may be taken, in SQL. A time that is later than any lease or pause shows that the clock of the database was set back.
 */
export const IS_TASK_DUE =
  '(due_at <= NOW(6) OR due_at > IF(owner IS NULL, :latestDue, :latestLease))'

/**
 * The condition that the task of another row can begin, in SQL.
 * @param name an expression for the name of the task
 */
export const isFree = (name: string): string =>
  `NOT EXISTS (SELECT 1 FROM :tasks: AS task WHERE task.name = ${name} AND NOT ${IS_TASK_DUE})`

/** The values of `IS_TASK_DUE`. */
export const latestTimes = ({ timings }: Pick<Db, 'timings'>) => ({
  latestDue: inMs(timings.tasks.longestPauseMs),
  latestLease: inMs(timings.db.longestLeaseMs),
})

/**
 * One statement if nobody has a row of this name, or another process has the task. The driver counts a row that stays as it is like a new one, so
 * the statement returns 1 as its id if the row is not due.
 */
const TAKE = `INSERT INTO :tasks: (name, owner, due_at) VALUES (:name, :owner, :end)
  ON DUPLICATE KEY UPDATE former = IF(${IS_TASK_DUE}, IFNULL(former, owner), former),
    owner = IF(${IS_TASK_DUE}, :owner, owner), due_at = IF(owner <=> :owner, :end, due_at),
    tries = tries + 0 * LAST_INSERT_ID(NOT owner <=> :owner)`

const NOT_DUE = 1
const INSERTED = 1

/** Takes a task that is due, or that has no row. @returns undefined if it is not due: another process has it, or it rests */
export async function takeTask(
  db: Database,
  tables: TaskTables,
  lease: TaskLease,
): Promise<TakenTask | undefined> {
  const { affectedRows, insertId } = await updateTask(db, tables, lease, TAKE, latestTimes(db))
  if (insertId === NOT_DUE) return undefined
  if (affectedRows === INSERTED) return { former: undefined, state: null, tries: 0 }
  const [row] = await readRows<TakenTask & { readonly former: string | null }>(
    db,
    'SELECT former, state, tries FROM :tasks: WHERE name = :name AND owner = :owner',
    valuesOf(tables, lease),
  )
  return row && { ...row, former: row.former ?? undefined }
}

/** What is stored of a task. Undefined leaves it as it is. */
export type TaskColumns = {
  readonly state?: string | null | undefined
  /** Failures in a row. */
  readonly tries?: number | undefined
  /** Why it failed last; null if it did not. */
  readonly error?: string | null | undefined
}

/** Renews a lease, also after its end. @returns false if it is lost */
export async function renewTask(
  db: Database,
  tables: TaskTables,
  lease: TaskLease,
  columns: TaskColumns = {},
): Promise<boolean> {
  const { assignments, values } = stored(columns)
  const renew = `UPDATE :tasks: SET due_at = :end${assignments} ${OWN}`
  return isFound(await updateTask(db, tables, lease, renew, values))
}

/** What a process stores when it gives a task up. */
export type TaskEnd = TaskColumns & {
  /** The task may be taken after this time. */
  readonly dueInMs: number
}

/** Gives a task up. Does nothing if the lease is lost. */
export async function releaseTask(
  db: Database,
  tables: TaskTables,
  lease: TaskLease,
  { dueInMs, ...columns }: TaskEnd,
): Promise<void> {
  const { assignments, values } = stored(columns)
  const due = inMs(Math.min(dueInMs, db.timings.tasks.longestPauseMs))
  const release = `UPDATE :tasks: SET owner = NULL, due_at = :due${assignments} ${OWN}`
  await updateTask(db, tables, lease, release, { ...values, due })
}

/** The assignments of an SQL text that follow another one. */
function stored({ state, tries, error }: TaskColumns) {
  const has = (name: string, value: unknown) => (value === undefined ? '' : `, ${name} = :${name}`)
  return {
    assignments: has('state', state) + has('tries', tries) + has('error', error),
    values: {
      state: state ?? null,
      tries: tries ?? 0,
      error: error?.slice(0, MAX_ERROR_LENGTH) ?? null,
    },
  }
}

/**
 * Gives up a task that has a row only while somebody has it. A former owner that was not fenced stays in the row, which is due at once. Does nothing if the
 * lease is lost.
 */
export async function endTask(db: Database, tables: TaskTables, lease: TaskLease): Promise<void> {
  const end = `DELETE FROM :tasks: ${OWN} AND former IS NULL`
  if (isFound(await updateTask(db, tables, lease, end))) return
  await updateTask(db, tables, lease, `UPDATE :tasks: SET owner = NULL, due_at = NOW(6) ${OWN}`)
}

/**
 * The former owner is fenced. Nothing that it could disturb may begin before: an owner that is lost before this is not fenced itself.
 * @throws LostLeaseError
 */
export async function forgetFormer(
  db: Database,
  tables: TaskTables,
  lease: TaskLease,
): Promise<void> {
  const forget = `UPDATE :tasks: SET former = NULL, due_at = :end ${OWN}`
  if (!isFound(await updateTask(db, tables, lease, forget)))
    throw new LostLeaseError(`the task ${lease.name}`)
}

/**
 * Makes a task due at once, with the next statement of a transaction. A process that has it loses it.
 * @param row the rest of a SELECT after its columns: nothing happens if it finds no row [in any case]
 */
export function requestTask(
  tx: Tx,
  tables: TaskTables,
  name: string,
  state: string | null,
  row: Select = { statement: 'FROM DUAL WHERE TRUE', values: {} },
): void {
  tx.later(
    `INSERT INTO :tasks: (name, due_at, state) SELECT :name, :due, :state ${row.statement}
      ON DUPLICATE KEY UPDATE ${REQUESTED}`,
    { tasks: tasksTable(tables), name, due: DUE_NOW, state, ...row.values },
  )
}

/** Takes the task away from its owner. */
const REQUESTED =
  'former = IFNULL(former, owner), owner = NULL, due_at = :due, tries = 0, error = NULL, state = :state'

/**
 * Takes tasks that have a row only while somebody has them away from their owners.
 * @param name that of a task, or its begin with `%`
 */
export function withdrawTasks(tx: Tx, tables: TaskTables, name: string): void {
  tx.later('DELETE FROM :tasks: WHERE name LIKE :name', { tasks: tasksTable(tables), name })
}

/**
 * The first statements of a transaction that relies on a task: they renew the lease, so that of two transactions that rely on it one fails, also on two nodes
 * of a cluster. The transaction fails with a `LostLeaseError` if the lease is lost.
 */
export function relyOnTask(tx: Tx, tables: TaskTables, lease: TaskLease): void {
  tx.later(`UPDATE :tasks: SET due_at = :end ${OWN}`, valuesOf(tables, lease))
  assertOwn(tx, tables, lease, '')
}

/** The same for the last transaction of a task that has no former owner: `endTaskLater` follows, in place of the renewal. */
export const relyOnTaskLast = (tx: Tx, tables: TaskTables, lease: TaskLease): void =>
  assertOwn(tx, tables, lease, 'FOR UPDATE')

/** After an error of a packet it may be sent twice, so it depends on the row only, and not on the statement before. */
function assertOwn(tx: Tx, tables: TaskTables, lease: TaskLease, lock: '' | 'FOR UPDATE'): void {
  tx.assertFound(
    `SELECT 1 FROM :tasks: ${OWN} ${lock}`,
    valuesOf(tables, lease),
    () => new LostLeaseError(`the task ${lease.name}`),
  )
}

/** Gives the task up with the transaction, as `endTask` does. */
export function endTaskLater(tx: Tx, tables: TaskTables, lease: TaskLease): void {
  tx.later(`DELETE FROM :tasks: ${OWN}`, valuesOf(tables, lease))
}

/** Transactions that change the row of a task wait for nothing else. */
export const queueOfTask = (name: string): string => `task ${name}`

const OWN = 'WHERE name = :name AND owner = :owner'
const MAX_ERROR_LENGTH = 500

const valuesOf = (tables: TaskTables, { name, owner, leaseMs }: TaskLease) => ({
  tasks: tasksTable(tables),
  name,
  owner,
  end: inMs(leaseMs),
})

const isFound = ({ affectedRows }: { readonly affectedRows: number }): boolean => affectedRows > 0

/** One statement without a transaction around it. */
function updateTask(
  db: Database,
  tables: TaskTables,
  lease: TaskLease,
  statement: string,
  values: NamedValues = {},
) {
  const options = { isWork: true, isStatement: true, queue: queueOfTask(lease.name) }
  return db.write(options, (tx) =>
    runStatement(tx, statement, { ...valuesOf(tables, lease), ...values }),
  )
}
