import { megabytes } from '../report/table.ts'
import { atMost, type Peak, type Verdict } from '../report/verdicts.ts'
import { openBenchDatabase } from '../setup/open-database.ts'
import { startService, staticDir } from '../setup/start-service.ts'
import type { Undo } from '../setup/undo.ts'
import { createPublicationSite } from './publication-site.ts'
import { type Publication, publicationLine, publish, readFrom } from './publish.ts'

/** Pages of the site for which the answer and the copies have targets, in seconds. */
const TARGETS = { pages: 2000, answer: 2.5, copies: 6 }
const MAX_MEGABYTES = 250
const MAX_READ_P99_MS = 50

/**
 * Publishes a site with these numbers of pages, smallest first, on a database of its own, and prints what it takes.
 * @returns the peak memory of the service
 */
export async function runPublication(sizes: readonly number[], outer: Undo): Promise<Peak[]> {
  console.log(`Publishing sites of ${sizes.join(' and ')} pages`)
  const undo = outer.part()
  const folder = undo.folder('publication')
  const database = await openBenchDatabase(folder, undo)
  const readCopy = readFrom(staticDir(folder))
  const service = await startService(database, folder, undo)
  const site = await createPublicationSite(database, service)
  const publications: Publication[] = []
  for (const pages of sizes) {
    await site.addPages(pages)
    for (const isFirst of [true, false]) {
      const measured = await publish({ database, service, readCopy }, site, { pages, isFirst })
      console.log(publicationLine('folder', measured))
      publications.push(measured)
    }
  }
  await undo.run()
  const largest = publications.at(-1)
  const name = `publication of ${largest?.pages}`
  const verdicts = [
    ...publications.flatMap(timeVerdicts),
    atMost(name, 'memory in MB', MAX_MEGABYTES, megabytes(largest?.peakBytes ?? 0)),
    atMost(name, 'p99 of small reads in ms', MAX_READ_P99_MS, largest?.reads.p99 ?? 0),
  ]
  console.log(`\n${verdicts.map(({ sentence }) => sentence).join('\n')}\n`)
  return publications.map(({ peakBytes: bytes, pages }) => ({
    bytes,
    at: `publication of ${pages}`,
  }))
}

function timeVerdicts({ pages, isFirst, answerMs, copiesMs }: Publication): Verdict[] {
  if (pages !== TARGETS.pages) return []
  const what = `publication of ${pages}, ${isFirst ? 'created' : 'replaced'}`
  return [
    atMost(what, 'seconds until the answer', TARGETS.answer, answerMs / 1000),
    atMost(what, 'seconds until all copies', TARGETS.copies, copiesMs / 1000),
  ]
}
