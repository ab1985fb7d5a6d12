const running = new Map<string, Promise<unknown>>()

/** Runs `work` once what was asked for under the same key before has ended, well or not. */
export async function withKeyedMutex<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = running.get(key)
  const mine = before === undefined ? work() : before.then(work, work)
  running.set(key, mine)
  try {
    return await mine
  } finally {
    if (running.get(key) === mine) running.delete(key)
  }
}
