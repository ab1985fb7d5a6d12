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
import { formatList, found, type Problem } from '../finding.ts'
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
  return found(
    'work_stuck',
    `The work of the site (${describeCounts(pending)}, since ${oldest?.since} GMT) is due for ${due_for_s} seconds, and nothing of the site is running.`,
  )
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
  return found(
    'work_failing',
    `The build of ${formatList(failures.map(describeWork))} has failed since ${first?.since} GMT: ${first?.error ?? 'no reason is stored.'}`,
  )
}

function exposedPages(failures: readonly FailingWork[]): Problem {
  const [first] = failures
  return found(
    'page_exposed',
    `${first?.error} This concerns ${formatList(failures.map(describeWork))}, since ${first?.since} GMT.`,
  )
}

function failingPurges(failures: readonly FailingWork[]): Problem {
  const [first] = failures
  return found(
    'purge_failing',
    `Page caches have not purged ${formatList(failures.map(purgedThing))}, since ${first?.since} GMT: ${first?.error ?? 'no reason is stored.'}`,
  )
}

const purgedThing = ({ name }: FailingWork): string => (name === '' ? 'all pages' : `page ${name}`)

function omittedFailures({ failing, failures }: SiteWorkStatus): Problem[] {
  const omitted = sumOf(failing) - failures.length
  if (omitted <= 0) return []
  return [
    {
      ...found('work_failing', `The build of ${omitted} more pages and frames has failed.`),
      fixHint: 'Correct the failures above first: these are later ones.',
    },
  ]
}
