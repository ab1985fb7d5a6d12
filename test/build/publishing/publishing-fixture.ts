import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { listCopyRecords, storeClaimsTable } from '../../../src/build/publishing/copies-table.ts'
import { NetworkIdentities } from '../../../src/build/publishing/network-identity.ts'
import {
  type Publication,
  type PublishContext,
  type PublishedCopies,
  publishCopies,
  storePublishedCopies,
  type WantedCopy,
} from '../../../src/build/publishing/publish-copies.ts'
import { pagesTable } from '../../../src/content/work/work-tables.ts'
import { createLog } from '../../../src/host/log.ts'
import type { Site } from '../../../src/wordpress/network/site.ts'
import { useNetwork } from '../../support/network.ts'
import { use } from '../../support/use.ts'
import { commitAs, takeSite } from './taken-site.ts'
import { startTestTarget } from './test-target.ts'

export const SHOP = 'http://net.test/shop/'

type PublishOptions = {
  /** [site 2] */
  readonly site?: Site
  /** [no quota] */
  readonly quotaBytes?: number
  /** Called before the completion. */
  readonly beforeCompletion?: (published: PublishedCopies) => Promise<void>
}

/** A publication of the site, the id of its writer, and the path of its staging folder. */
type OpenPublication = {
  readonly publication: Publication
  readonly owner: string
  readonly path: string
}

/**
 * A cloned network and an empty target of static copies: a folder, unless TEST_STATIC_TARGET is `s3`. All end with the tests.
 * @param isFolder for tests of the folder, whatever TEST_STATIC_TARGET is
 */
export async function usePublishingFixture(isFolder = false) {
  const network = await useNetwork()
  const site = await network.site(2)
  const { db, globals } = network
  const identities = new NetworkIdentities(db, globals)
  const target = await use(startTestTarget(isFolder))
  const copies = await use(target.open({ db, globals, identities, log: createLog('silent') }))
  const openPublication = async (of = site): Promise<OpenPublication> => {
    await target.prepare()
    const owner = newWriterId()
    const publication = { writer: await copies.begin(of.blogId, owner), growth: 0 }
    return { publication, owner, path: join(target.staticDir, '.work', owner) }
  }
  const contextOf = (
    { publication }: Pick<OpenPublication, 'publication'>,
    version: number,
  ): PublishContext => ({
    db,
    site,
    copies,
    version,
    publication,
    commit: (work) => db.write({ isWork: true }, work),
    quotaBytes: undefined,
  })
  return {
    ...target,
    network,
    site,
    copies,
    /** One publication: writes the pages, stores the records, and ends. */
    publish: async (
      version: number,
      wanted: readonly WantedCopy[],
      { site: other, quotaBytes, beforeCompletion }: PublishOptions = {},
    ) => {
      const own = other ?? site
      const open = await openPublication(own)
      const commit = commitAs(db, own, open.owner)
      const context = { ...contextOf(open, version), site: own, quotaBytes, commit }
      try {
        await takeSite(db, own, open.owner)
        const published = await publishCopies(context, wanted)
        await beforeCompletion?.(published)
        await commit((tx) => storePublishedCopies(tx, context, published))
        return published
      } finally {
        await open.publication.writer.end()
      }
    },
    openPublication,
    contextOf,
    /** The records of the site, by page id. */
    records: async (of = site) =>
      new Map((await listCopyRecords(db, of)).map((record) => [record.page, record])),
    /** The location of the copy of a path of the site. */
    folder: (path: string) => target.locate(join('net.test/shop', path)),
    /** Removes all copies and records. */
    clear: async () => {
      await db.sql(pagesTable(globals)).delete()
      await db.sql(storeClaimsTable(globals)).delete()
      await target.clear()
    },
  }
}

export const newWriterId = (): string => randomBytes(8).toString('hex')

const MODIFIED = '2026-01-02 03:04:05'

/** A page that shows `html`. */
export const shown = (page: number, path: string, html: string): WantedCopy => ({
  page,
  url: SHOP + path,
  pageModified: MODIFIED,
  publication: { html, sourceFingerprint: sourceOf(html) },
})

/** The fingerprint of what a copy was made of: ASCII, at most 64 characters. */
export const sourceOf = (html: string): string => `of ${html}`.replace(/[^ -~]/g, '?').slice(0, 64)

const HIDDEN = { reason: 'page_not_public', message: 'Hidden.' } as const

/** A page that is not public. */
export const hidden = (page: number, path: string): WantedCopy => ({
  page,
  url: SHOP + path,
  pageModified: MODIFIED,
  publication: HIDDEN,
})
