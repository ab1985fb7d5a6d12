import type { Disruption } from './disruption.ts'

/** Makes the server refuse writes, as a replica does. */
export const readOnly: Disruption = {
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
