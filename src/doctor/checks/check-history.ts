import type { Db } from '../../db/database.ts'
import { isMissingTable } from '../../db/database-error.ts'
import { type HistorySite, networkHistory } from '../../history/history-row.ts'
import { verifyHistory } from '../../history/verify-history.ts'
import type { DoctorServices, Finding, Problem } from '../finding.ts'
import { formatList } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Checks that no entry of the history of a site was changed or removed. */
export function checkHistory({ db, site }: SiteSnapshot): Promise<Problem[]> {
  return findFaults(db, site)
}

/** Checks the history of tokens. */
export async function checkNetworkHistory({ db, globals }: DoctorServices): Promise<Finding[]> {
  const problems = await findFaults(db, networkHistory(globals))
  return problems.map((problem) => ({ site: null, ...problem }))
}

async function findFaults(db: Db, site: HistorySite): Promise<Problem[]> {
  const faults = await verifyHistory(db, site).catch((error): undefined => {
    // A missing table has its own finding.
    if (!isMissingTable(error)) throw error
  })
  if (!faults) return []
  const { changed, orphaned, withoutContent } = faults
  return [
    ...(changed.length === 0
      ? []
      : [
          problem(
            'history_changed',
            `The entries ${formatList(changed)} of the history do not match their hashes: another program has changed them.`,
            'The history does not tell what was really written, and by whom.',
          ),
        ]),
    ...(orphaned.length === 0
      ? []
      : [
          problem(
            'history_gap',
            `The entries before ${formatList(orphaned)} of the history are missing, although the service has not deleted them.`,
            'What they recorded cannot be seen or restored.',
          ),
        ]),
    ...(withoutContent.length === 0
      ? []
      : [
          problem(
            'history_content_missing',
            `The markup or the items of the entries ${formatList(withoutContent)} of the history are missing or damaged.`,
            'These states cannot be restored.',
          ),
        ]),
  ]
}

const problem = (check: Problem['check'], message: string, impact: string): Problem => ({
  check,
  severity: 'error',
  message,
  impact,
  fixHint:
    'Compare with a backup of the database, or with an earlier export of "wp-frames audit". Find out who has access to the database.',
})
