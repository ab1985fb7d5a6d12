import { INLINE_ANALYZER } from '../../src/content/frames/frame-markup.ts'
import { TaskRunner } from '../../src/db/tasks/task-runner.ts'
import { createLog } from '../../src/host/log.ts'
import { RunWorker, type RunWorkerOptions } from '../../src/network/plan/run-worker.ts'
import type { TestNetwork } from './network.ts'

/** Continues runs in the background, as the service does. It builds nothing. */
export const startRunWorker = (
  { db, globals }: Pick<TestNetwork, 'db' | 'globals'>,
  more: Partial<RunWorkerOptions> = {},
): TaskRunner => {
  const options = { db, globals, log: createLog('silent') }
  const tasks = new TaskRunner(options)
  tasks.addSource(
    new RunWorker({
      ...options,
      analyzer: INLINE_ANALYZER,
      wake: () => {},
      maxSiteBytes: undefined,
      ...more,
    }),
  )
  return tasks
}
