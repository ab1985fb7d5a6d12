import type { Site } from '#wp-frames/wordpress/network/site'
import { parseBody } from '../../../compare/compare-answers.ts'
import type { ComparedRequests, FoundDifference } from '../../../compare/compare-requests.ts'
import { compareRows, compareWriteAnswers, foundAfter } from '../../../compare/compare-writes.ts'
import type { ComparedRequest } from '../../../compare/compared-request.ts'
import { breaksClients } from '../../../compare/difference.ts'
import { IdBindings } from '../../../compare/id-bindings.ts'
import { fillStep, itemsIn, routeOf, type WriteStep } from '../../../compare/write-steps.ts'
import type { ComparedSide } from '../compared-side.ts'
import type { ComparedDatabases } from './scratch-databases.ts'
import { presentRows, SiteRows } from './site-rows.ts'

type SiteWritesRun = {
  readonly old: ComparedSide
  readonly ours: ComparedSide
  readonly databases: Pick<ComparedDatabases, 'old' | 'ours'>
  readonly signal: AbortSignal
  readonly onStep: () => void
}

/**
 * Sends the same writes about a site to both sides, each on its copy, and compares the answers and the rows after each.
 * @throws errors of the sides and databases; the reason of the signal
 */
export async function compareWritesOf(
  site: Site,
  steps: readonly WriteStep[],
  { old, ours, databases, signal, onStep }: SiteWritesRun,
): Promise<ComparedRequests> {
  const [oldRows, ourRows] = await Promise.all([
    SiteRows.open(databases.old, site),
    SiteRows.open(databases.ours, site),
  ])
  const before = await oldRows.readIdsBefore()
  const bindings = new IdBindings(before.ids, before.frames)
  const known = new Set<string>()
  const found: FoundDifference[] = []
  const times: ComparedRequests['times'][number][] = []
  const [oldItems, ourItems] = [new Map<string, number>(), new Map<string, number>()]
  for (const step of steps) {
    signal.throwIfAborted()
    const asked = requestOf(site, step)
    const [oldAnswer, ourAnswer] = await Promise.all([
      old.ask(requestOf(site, fillStep(step, oldItems))),
      ours.ask(requestOf(site, fillStep(step, ourItems))),
    ])
    itemsIn(parseBody(oldAnswer.body).value, oldItems)
    itemsIn(parseBody(ourAnswer.body).value, ourItems)
    const now = new Date()
    times.push({ route: asked.route, old: oldAnswer.ms, ours: ourAnswer.ms })
    const answers = compareWriteAnswers(oldAnswer, ourAnswer, bindings, now)
    found.push(...foundAfter(answers, asked))
    // What a refused request has written nevertheless is found after the next one.
    const isWritten = step.method !== 'GET' && (oldAnswer.status < 300 || ourAnswer.status < 300)
    if (isWritten || step === steps.at(-1)) {
      const [a, b] = await Promise.all([oldRows.readChanges(), ourRows.readChanges()])
      for (const space of ['post', 'term', 'taxonomy'] as const)
        bindings.bindInOrder(space, a.ids[space], b.ids[space])
      const rows = compareRows(presentRows(a, undefined), presentRows(b, bindings), now, known)
      found.push(...foundAfter(rows, asked))
    }
    onStep()
  }
  return {
    differences: found.filter(breaksClients),
    apart: found.filter((difference) => !breaksClients(difference)),
    noise: [],
    notComparable: [],
    times,
    requests: { old: steps.length, ours: steps.length },
  }
}

function requestOf({ blogId }: Site, step: WriteStep): ComparedRequest {
  const { method, path, body } = step
  return {
    kind: 'dry_run',
    route: routeOf(step),
    method,
    path: `/site/${blogId}${path}`,
    ...(body === undefined ? {} : { body: body as object }),
  }
}
