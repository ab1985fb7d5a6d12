import {
  describeCounts,
  describeWork,
  hasWork,
  sumOf,
} from '../../../content/work/describe-work.ts'
import {
  type FailingWork,
  readSiteWork,
  type SiteWorkStatus,
} from '../../../content/work/work-status.ts'
import { isMissingTable } from '../../../db/database-error.ts'
import { formatList, type Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Checks that pending work is done, and that none of it fails. */
export async function checkWork({ db, site }: SiteSnapshot): Promise<Problem[]> {
  const work = await readSiteWork(db, site).catch((error): undefined => {
    // A missing table has its own finding.
    if (!isMissingTable(error)) throw error
  })
  if (!work) return []
  const isStuck = work.due_for_s > db.timings.doctor.stuckSeconds && !hasWork(work.running)
  return [
    ...(isStuck ? [stuckWork(work)] : []),
    ...failuresByReason(work.failures.filter(({ kind }) => kind !== 'purge')).map((failures) =>
      failures[0]?.code === 'exposed' ? exposedPages(failures) : failingWork(failures),
    ),
    ...failuresByReason(work.failures.filter(({ kind }) => kind === 'purge')).map(failingPurges),
    ...omittedFailures(work),
  ]
}

function stuckWork({ pending, oldest, due_for_s }: SiteWorkStatus): Problem {
  return {
    check: 'work_stuck',
    severity: 'error',
    message: `The work of the site (${describeCounts(pending)}, since ${oldest?.since} GMT) is due for ${due_for_s} seconds, and nothing of the site is running.`,
    impact: 'Visitors see the pages as they were before the last writes.',
    fixHint:
      'Start a process with the executor ("wp-frames serve", or "wp-frames serve executor") on this database and STATIC_DIR. If one is running, its log and GET /readyz say what it lacks, for example a writable folder. Purges need a process with CACHE_PURGE, and "wp-frames network purges on".',
  }
}

/** Groups the failures by their reason: a missing file system fails thousands of pages in the same way. */
function failuresByReason(failures: readonly FailingWork[]): (readonly FailingWork[])[] {
  const groups = new Map<string | null, FailingWork[]>()
  for (const failure of failures) {
    groups.set(failure.error, [...(groups.get(failure.error) ?? []), failure])
  }
  return [...groups.values()]
}

function failingWork(failures: readonly FailingWork[]): Problem {
  const [first] = failures
  return {
    check: 'work_failing',
    severity: 'warning',
    message: `The build of ${formatList(failures.map(describeWork))} has failed since ${first?.since} GMT: ${first?.error ?? 'no reason is stored.'}`,
    impact: 'Visitors see these pages as they were before the last writes.',
    fixHint:
      'Correct what the reason names; the log of the service has the details. The build is tried again by itself, at the latest after five minutes.',
  }
}

function exposedPages(failures: readonly FailingWork[]): Problem {
  const [first] = failures
  return {
    check: 'page_exposed',
    severity: 'error',
    message: `${first?.error} This concerns ${formatList(failures.map(describeWork))}, since ${first?.since} GMT.`,
    impact: 'The pages are private, deleted or moved, and are served with 200.',
    fixHint:
      'Correct what the reason names. The removal is tried again by itself, at the latest after five minutes.',
  }
}

function failingPurges(failures: readonly FailingWork[]): Problem {
  const [first] = failures
  return {
    check: 'purge_failing',
    severity: 'warning',
    message: `Page caches have not purged ${formatList(failures.map(purgedThing))}, since ${first?.since} GMT: ${first?.error ?? 'no reason is stored.'}`,
    impact: 'Visitors may get these pages as they were before, for an hour at most.',
    fixHint:
      'Correct what the reason names. The purge is tried again by itself, at the latest after five minutes.',
  }
}

const purgedThing = ({ name }: FailingWork): string => (name === '' ? 'all pages' : `page ${name}`)

function omittedFailures({ failing, failures }: SiteWorkStatus): Problem[] {
  const omitted = sumOf(failing) - failures.length
  if (omitted <= 0) return []
  return [
    {
      check: 'work_failing',
      severity: 'warning',
      message: `The build of ${omitted} more pages and frames has failed.`,
      impact: 'Visitors see these pages as they were before the last writes.',
      fixHint: 'Correct the failures above first: these are later ones.',
    },
  ]
}
