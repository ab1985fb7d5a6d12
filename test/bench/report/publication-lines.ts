import type { Publication } from '../publication/publish.ts'
import type { PublicationFigures } from '../publication/run-publication.ts'
import { figure } from './figure.ts'
import { atMost, type Verdict } from './verdicts.ts'

/** A line for one publication. */
export function publicationLine(publication: Publication, executors?: number): string {
  const { pages, isFirst, answerMs, copiesMs, cpuMs, databaseCpuMs, reads } = publication
  const by = executors === undefined ? 'one process' : `API + ${executors} executor(s)`
  return [
    `${pages} pages ${isFirst ? 'created ' : 'replaced'}`.padEnd(22),
    by.padEnd(19),
    `answer ${seconds(answerMs)}`,
    `all copies ${seconds(copiesMs)}`,
    `CPU ${seconds(cpuMs)} + ${seconds(databaseCpuMs)} (${figure((cpuMs + databaseCpuMs) / pages)} ms a page)`,
    `${megabytes(publication).toFixed(0)} MB`.padStart(6),
    `${reads.count} reads p50 ${figure(reads.p50)} p99 ${figure(reads.p99)} ms`,
  ].join('  ')
}

/** What does not belong to one publication. */
export function otherPublicationLines(figures: PublicationFigures): string[] {
  const { putWithoutPagesMs, idleStatements, separate } = figures
  const [one, two] = separate
  return [
    `PUT of a frame without pages: p50 ${figure(putWithoutPagesMs)} ms`,
    `idle service: ${figure(idleStatements)} statements/s`,
    ...(one && two
      ? [
          `a second executor: ${figure(one.copiesMs / two.copiesMs)} times as fast (${seconds(one.copiesMs)} to ${seconds(two.copiesMs)})`,
        ]
      : []),
  ]
}

/** Pages of the site for which the answer and the copies have targets, in seconds. */
const TARGETS = { pages: 2000, answer: 2.5, copies: 6 }
const MAX_MEGABYTES = 250
const MAX_READ_P99_MS = 50

/** Compares publications by one process with their targets. */
export function publicationVerdicts({ publications }: PublicationFigures): Verdict[] {
  const largest = publications.at(-1)
  return [
    ...publications
      .filter(({ pages }) => pages === TARGETS.pages)
      .flatMap(({ pages, isFirst, answerMs, copiesMs }) => {
        const name = `publication of ${pages}, ${isFirst ? 'created' : 'replaced'}`
        return [
          atMost(name, 'seconds until the answer', TARGETS.answer, answerMs / 1000),
          atMost(name, 'seconds until all copies', TARGETS.copies, copiesMs / 1000),
        ]
      }),
    ...(largest
      ? [
          atMost(
            `publication of ${largest.pages}`,
            'memory in MB',
            MAX_MEGABYTES,
            megabytes(largest),
          ),
          atMost(
            `publication of ${largest.pages}`,
            'p99 of small reads in ms',
            MAX_READ_P99_MS,
            largest.reads.p99,
          ),
        ]
      : []),
  ]
}

const seconds = (ms: number): string => `${figure(ms / 1000)} s`

const megabytes = ({ peakBytes }: Publication): number => peakBytes / 1024 ** 2
