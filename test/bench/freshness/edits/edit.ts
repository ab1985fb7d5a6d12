import type { Expectation } from '../copy-watch.ts'
import type { MeasuredSite } from '../measured-site.ts'

/** A statement with `?` for values and `??` for names. */
export type Statement = readonly [sql: string, bindings: readonly (string | number)[]]

/** An edit of a site that bypasses the service, and the copies that must follow. */
export type Edit = {
  /** Sent one after the other, each committed by itself, as WordPress does. The measured time begins when the last one is acknowledged. */
  readonly statements: readonly Statement[] | (() => Promise<void>)
  /** What WordPress writes after the edit, and pages do not show. */
  readonly afterwards?: readonly Statement[]
  readonly expected: readonly Expectation[]
}

/** @param mark a text that no page shows yet; also valid as a slug */
export type MakeEdit = (mark: string) => Edit | Promise<Edit>

/**
 * A kind of edits. Several follow one another, each when the copies show the former one, if a kind must be reversed before it can be
 * repeated.
 */
export type EditKind = {
  /** The names of the edits in the table. */
  readonly titles: readonly string[]
  /** Chooses what to edit, and returns as many edits as there are titles. */
  begin(site: MeasuredSite): readonly MakeEdit[]
}

/** A kind of one edit. */
export const single = (title: string, begin: (site: MeasuredSite) => MakeEdit): EditKind => ({
  titles: [title],
  begin: (site) => [begin(site)],
})

/** What an edit in WordPress sets besides the edited columns. */
export const MODIFIED = 'post_modified = NOW(), post_modified_gmt = UTC_TIMESTAMP()'
