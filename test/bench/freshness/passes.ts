import type { EditTimes } from './edit-times.ts'
import type { MillionRows } from './million-rows.ts'
import type { Binlog } from './network/network-server.ts'
import type { QuietFigures } from './quiet-figures.ts'
import type { RenderedPages } from './rendered-pages.ts'

/** How the service learns of edits in a pass. */
export const PASS_NAMES = ['feed', 'poll'] as const

export type PassName = (typeof PASS_NAMES)[number]

/** The settings of a pass. */
export type Pass = {
  readonly title: string
  readonly binlog: Binlog
  /** Pause between two rounds of the poll, in seconds. */
  readonly watchSeconds: number
  readonly hasFeed: boolean
}

export const PASSES: Readonly<Record<PassName, Pass>> = {
  feed: { title: 'feed', binlog: 'ROW', watchSeconds: 60, hasFeed: true },
  poll: { title: 'poll', binlog: 'none', watchSeconds: 2, hasFeed: false },
}

/** The parts of a pass: a time without edits; edits; the pages that an edit renders, many rows at once, and a comparison of copies. */
export const PASS_PARTS = ['quiet', 'edits', 'costs'] as const

export type PassPart = (typeof PASS_PARTS)[number]

/** The figures of a pass. A part that failed or for which there was no time is missing. */
export type PassResults = {
  readonly pass: PassName
  readonly date: string
  readonly commit: string
  readonly sites: number
  readonly pages: number
  /** How long copies were waited for after edits that few pages show, in milliseconds. */
  readonly limitMs: number
  readonly quiet?: QuietFigures
  /** The same while editors work together on a post of the large site. */
  readonly collaboration?: QuietFigures
  /** Duration of a round of the poll, in milliseconds. */
  readonly roundMs?: number
  readonly edits: readonly EditTimes[]
  readonly rendered: readonly (RenderedPages & { readonly site: 'small' | 'large' })[]
  readonly millions: readonly (MillionRows & { readonly title: string })[]
  /** Sampled copies that were not as rendered at the end; undefined if they were not compared. */
  readonly differences?: readonly string[]
}
