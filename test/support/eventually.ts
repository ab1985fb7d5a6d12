import { vi } from 'vitest'

/** Repeats an assertion until it passes, and returns its value. It waits far longer than it ever takes, because the machine may be busy. */
export const eventually = <T>(assertion: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(assertion, { timeout: 30_000, interval: 20 })
