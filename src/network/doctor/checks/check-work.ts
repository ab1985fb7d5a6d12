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
import { groupBy } from '../../../host/group-by.ts'
import { formatList, found, ifTableMissing, type Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Checks that pending work is done, and that none of it fails. */
export async function checkWork({ db, site }: SiteSnapshot): Promise<Problem[]> {
  const work = await readSiteWork(db, site).catch(ifTableMissing(undefined))
  if (!work) return []
  const isStuck = work.due_for_s > db.timings.doctor.stuckSeconds && !hasWork(work.running)
  const builds = work.failures.filter(({ kind }) => kind !== 'purge')
  const purges = work.failures.filter(({ kind }) => kind === 'purge')
  return [
    ...(isStuck ? [stuckWork(work)] : []),
    ...failuresByReason(builds).map(failingWork),
    ...failuresByReason(purges).map(failingPurges),
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
const failuresByReason = (failures: readonly FailingWork[]): (readonly FailingWork[])[] => [
  ...groupBy(failures, ({ error }) => error).values(),
]

function failingWork(failures: readonly FailingWork[]): Problem {
  const [first] = failures
  const works = formatList(failures.map(describeWork))
  return first?.code === 'exposed'
    ? found('page_exposed', `${first.error} This concerns ${works}, since ${first.since} GMT.`)
    : found(
        'work_failing',
        `The build of ${works} has failed since ${first?.since} GMT: ${first?.error ?? 'no reason is stored.'}`,
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
    found('work_failing', `The build of ${omitted} more pages and frames has failed.`, {
      fixHint: 'Correct the failures above first: these are later ones.',
    }),
  ]
}
