import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The result of `work`; that of `late` if it takes longer. The work goes on then, and nobody learns how it ends.
 * @param ms the limit, in milliseconds
 */
export async function within<T>(ms: number, work: Promise<T>, late: () => T): Promise<T> {
  const timer = new AbortController()
  const timeout = sleep(Math.max(0, ms), undefined, { signal: timer.signal }).then(late)
  try {
    return await Promise.race([work, timeout])
  } finally {
    timer.abort()
    // Late rejections have no other handler.
    for (const promise of [work, timeout]) promise.catch(() => {})
  }
}
