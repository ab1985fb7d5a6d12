import { read, type Workload } from './workload.ts'

/** A path that no endpoint has: it is told to callers with a token only. */
export const tokenCheck: Workload = read(
  'token-check',
  'token check alone',
  async () => ({ path: '/nothing' }),
  { status: 404 },
)
