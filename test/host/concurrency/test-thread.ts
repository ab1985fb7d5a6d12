import { setTimeout as sleep } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'

/** Functions that the test of the worker pool calls on threads. */
export const nameThread = async ({ ms }: { ms: number }): Promise<number> => {
  await sleep(ms)
  return threadId
}

export const fail = (): never => {
  throw new Error('the job failed')
}
