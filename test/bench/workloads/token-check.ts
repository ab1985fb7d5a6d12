import { againstExpress, read, type Workload } from './workload.ts'

/** A path without an endpoint: only callers with a valid token get the 404. */
export const tokenCheck: Workload = read(
  'token-check',
  'token check alone',
  async () => ({ path: '/nothing' }),
  { ...againstExpress, status: 404 },
)
