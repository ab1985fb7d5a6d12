import { onTestFinished } from 'vitest'
import { type Task, TaskRunner } from '../../src/db/tasks/task-runner.ts'
import { type TaskTables, tasksTable } from '../../src/db/tasks/tasks-table.ts'
import { createLog } from '../../src/host/log.ts'
import type { SqlDatabase } from './open-database.ts'

type Tested = { readonly db: SqlDatabase; readonly globals: TaskTables }

/** Does tasks as a process of the service does, until it is stopped, at the latest when the test ends. */
export function startTasks({ db, globals }: Tested, ...tasks: Task[]): TaskRunner {
  const runner = new TaskRunner({ db, globals, log: createLog('silent') })
  for (const task of tasks) runner.add(task)
  onTestFinished(() => runner.stop())
  return runner
}

/** The row of a task. */
export const taskRow = ({ db, globals }: Tested, name: string) =>
  db.sql(tasksTable(globals)).where({ name })
