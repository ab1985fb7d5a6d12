import { inBatches } from '../../db/sql.ts'
import type { Page } from '../../wordpress/pages/posts.ts'
import { isPretty } from '../../wordpress/permalinks/link-settings.ts'
import { type CopyHeader, languageIn } from '../baking/baked-copy.ts'
import type { Dependent } from '../baking/dependents.ts'
import { whyOutdated } from '../publishing/check-copies.ts'
import { readCopyRecords } from '../publishing/copies-table.ts'
import type { CopyStore } from '../publishing/copy-store.ts'
import { type RoutingOptions, routablePages } from './page-publication.ts'
import type { SiteBuild } from './site-build.ts'

export type ChooseOptions = RoutingOptions & {
  /** The static copies; undefined if they are turned off. */
  readonly copies: CopyStore | undefined
}

/**
 * Chooses up to `limit` frames to bake: those with a stale baked copy first, then those with pages to publish, then others. Keeps their order.
 * @param rest which others may be chosen
 */
export async function chooseFrames(
  build: SiteBuild,
  dependents: readonly Dependent[],
  rest: readonly Dependent[],
  limit: number,
  options: ChooseOptions,
): Promise<readonly Dependent[]> {
  if (dependents.length <= limit) return dependents
  const toBake: string[] = []
  const toPublish: string[] = []
  for (const batch of inBatches(dependents, limit)) {
    if (toBake.length >= limit) break
    const ids = batch.map(({ frame }) => frame.id)
    const baked = await build.freshHeaders(ids)
    toBake.push(...ids.filter((id) => !baked.has(id)))
    if (toPublish.length < limit) {
      toPublish.push(...(await findUnpublished(options, build, baked)))
    }
  }
  const inOrder = new Set([...toBake, ...toPublish, ...rest.map(({ frame }) => frame.id)])
  const chosen = new Set([...inOrder].slice(0, limit))
  return dependents.filter(({ frame }) => chosen.has(frame.id))
}

/**
 * The frames with a page whose static copy is missing or stale, as far as the records tell: reading the files of a large site takes longer
 * than a client waits. The scrub finds files that are not as recorded.
 * @param baked headers of the frames' fresh baked copies, by frame id
 */
async function findUnpublished(
  options: ChooseOptions,
  build: SiteBuild,
  baked: ReadonlyMap<string, CopyHeader>,
): Promise<string[]> {
  const { db, site, copies } = options
  const { data } = build
  if (copies === undefined || baked.size === 0 || !isPretty(await data.links())) return []
  const ids = await build.pagesOn([...baked.keys()])
  const [pages, records] = await Promise.all([data.pagesById(ids), readCopyRecords(db, site, ids)])
  const frames = await build.framesOf(ids)
  const defaultLanguage = await data.defaultLanguage()
  const unpublished: Page[] = []
  for (const page of pages) {
    const header = baked.get(frames.get(page.id) ?? '')
    if (header === undefined) continue
    const source = languageIn(header, page.lang ?? defaultLanguage)?.fingerprint
    const url = await data.urlOf(page)
    const record = records.get(page.id)
    const isCurrent =
      record?.url === url &&
      record.digest !== undefined &&
      whyOutdated(record, page, source) === undefined
    if (!isCurrent && copies.locate(url) !== undefined) unpublished.push(page)
  }
  const routable = await routablePages(options, build, unpublished)
  return [...new Set([...routable.keys()].flatMap((page) => frames.get(page) ?? []))]
}
