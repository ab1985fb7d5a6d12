import { vi } from 'vitest'

/** What an assertion resolves to once it holds. It is tried for far longer than it ever takes: the machine may be busy with others. */
export const eventually = <T>(assertion: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(assertion, { timeout: 30_000, interval: 20 })
