import { isDatabaseUnavailable } from '../../db/database-error.ts'
import type { DoctorServices, Problem } from '../finding.ts'

/** Does the database answer? */
export async function checkConnection({ db }: DoctorServices): Promise<Problem[]> {
  try {
    await db.sql.raw('SELECT 1')
    return []
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? (error as Error).name
    return [isDatabaseUnavailable(error) ? databaseUnreachable(code) : databaseRefused(code)]
  }
}

const DATABASE_IMPACT = 'Nothing works without it: pages without a static copy, and all requests.'

const databaseUnreachable = (code: string): Problem => ({
  check: 'database_unreachable',
  severity: 'error',
  what: `The database can't be reached (${code}).`,
  why: DATABASE_IMPACT,
  mend: 'Check that the server runs, and the host and port in DATABASE_URL.',
})

const databaseRefused = (code: string): Problem => ({
  check: 'database_unreachable',
  severity: 'error',
  what: `The database refuses (${code}).`,
  why: DATABASE_IMPACT,
  mend: 'Check the user, the password and the name of the database in DATABASE_URL.',
})
