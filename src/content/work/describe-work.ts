import type { Work, WorkKind } from './work.ts'

/** What is still to be done: pages that are wanted and pages to purge from page caches by tag (`svc_pages`), and the things that were touched (`svc_work`). */
export type WorkCounts = {
  readonly pages: number
  readonly frames: number
  readonly purges: number
}

/** Pages, frames and purges together. */
export const sumOf = ({ pages, frames, purges }: WorkCounts): number => pages + frames + purges

export const hasWork = (counts: WorkCounts): boolean => sumOf(counts) > 0

/** `1,850 pages, 1 frame and 2 purges`, for sentences. */
export function describeCounts({ pages, frames, purges }: WorkCounts): string {
  const counts = Object.entries({ page: pages, frame: frames, purge: purges })
  const parts = counts.flatMap(([noun, number]) => (number > 0 ? count(number, noun) : []))
  return parts.length > 0 ? LIST.format(parts) : 'nothing'
}

const LIST = new Intl.ListFormat('en-GB')

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`

/** What a row of the work table builds, for sentences: `page 12`, `all frames that show menus`. */
export function describeWork({
  kind,
  name,
}: Omit<Work, 'kind'> & { kind: WorkKind | 'purge' }): string {
  switch (kind) {
    case 'page':
      return `page ${name}`
    case 'purge':
      return name === '' ? 'the purge of all pages' : `the purge of page ${name}`
    case 'frame':
      return `frame ${name}`
    case 'embeds':
      return `all frames that embed "${name}"`
    case 'dataset':
      return `all frames that read the dataset "${name}"`
    case 'outdated':
      return `the pages that are outdated by a change of ${name}`
    case 'all':
      return 'all frames'
    case 'copies':
      return 'the removal of copies that their pages no longer have'
    default:
      return `all frames that show ${kind}`
  }
}
