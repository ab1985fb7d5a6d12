import type { Injury } from './injury.ts'

/** The server takes no writes, as a replica doesn't. */
export const readOnly: Injury = {
  name: 'the server is read-only',
  spares: 'reads',
  inflict: async ({ db }) => {
    await db.sql.raw('SET GLOBAL read_only = 1')
    return async () => {
      await db.sql.raw('SET GLOBAL read_only = 0')
      return undefined
    }
  },
}
