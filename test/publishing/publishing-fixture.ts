import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createLog } from '../../src/log.ts'
import { type CopyRecord, copiesTable, listCopyRecords } from '../../src/publishing/copies-table.ts'
import type { WantedCopy } from '../../src/publishing/copy-states.ts'
import type { CopyClaim } from '../../src/publishing/copy-target.ts'
import { createNumbersFolder } from '../../src/publishing/folder-numbers.ts'
import { NetworkIdentities } from '../../src/publishing/network-identity.ts'
import {
  type PublishContext,
  type PublishedCopies,
  publishCopies,
  storePublishedCopies,
} from '../../src/publishing/publish-copies.ts'
import { StaticFolder } from '../../src/publishing/static-folder.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import { workTable } from '../../src/work/work-tables.ts'
import { cloneNetwork, type TestNetwork } from '../support/network.ts'
import { ownedBy, takePages } from './owned-pages.ts'

export const SHOP = 'http://net.test/shop/'

type ClaimOptions = {
  /** [site 2] */
  readonly site?: Site
  /** [no quota] */
  readonly quotaBytes?: number
  /** Called before the completion. */
  readonly beforeCompletion?: (published: PublishedCopies) => Promise<void>
}

/** A claim of the site, its id, and the path of its staging folder. */
type OpenClaim = { readonly claim: CopyClaim; readonly claimId: string; readonly path: string }

/** A cloned network and an empty folder of static copies. */
export type PublishingFixture = {
  readonly network: TestNetwork
  readonly site: Site
  readonly staticDir: string
  readonly copies: StaticFolder
  /** One claim: publishes the pages, stores the records, and ends. */
  publish(
    version: number,
    wanted: readonly WantedCopy[],
    options?: ClaimOptions,
  ): Promise<PublishedCopies>
  openClaim(): Promise<OpenClaim>
  contextOf(open: Pick<OpenClaim, 'claim'>, version: number): PublishContext
  /** The records of the site, by page id. */
  records(site?: Site): Promise<Map<number, CopyRecord>>
  /** The paths of all files, relative to the folder, sorted. */
  files(): Promise<string[]>
  folder(path: string): string
  /** Removes all copies and records. */
  clear(): Promise<void>
  stop(): Promise<void>
}

export async function createPublishingFixture(): Promise<PublishingFixture> {
  const network = await cloneNetwork()
  const site = await network.site(2)
  const staticDir = await mkdtemp(join(tmpdir(), 'wp-frames-publish-'))
  const { db, globals } = network
  const identities = new NetworkIdentities(db, globals)
  const copies = new StaticFolder({ db, globals, staticDir, identities, log: createLog('silent') })
  const openClaim = async () => {
    await createNumbersFolder(staticDir)
    const claimId = newClaimId()
    const claim = await copies.openClaim(site.blogId, claimId)
    return { claim, claimId, path: join(staticDir, '.work', claimId) }
  }
  const contextOf: PublishingFixture['contextOf'] = ({ claim }, version) => ({
    db,
    site,
    copies,
    version,
    claim,
    assertOwned: () => {},
    quotaBytes: undefined,
  })
  return {
    network,
    site,
    staticDir,
    copies,
    publish: async (version, wanted, { site: other, quotaBytes, beforeCompletion } = {}) => {
      const open = await openClaim()
      const own = other ?? site
      const assertOwned = ownedBy(own, open.claimId)
      const context = { ...contextOf(open, version), site: own, quotaBytes, assertOwned }
      const pages = wanted.map(({ page }) => page)
      try {
        await takePages(db, own, open.claimId, pages)
        const published = await publishCopies(context, wanted)
        await beforeCompletion?.(published)
        await db.write({}, (tx) => {
          assertOwned(tx, pages)
          return storePublishedCopies(tx, context, published)
        })
        return published
      } finally {
        await open.claim.end()
      }
    },
    openClaim,
    contextOf,
    records: async (of = site) =>
      new Map((await listCopyRecords(db, of)).map((record) => [record.page, record])),
    files: () => filesIn(staticDir),
    folder: (path) => join(staticDir, 'net.test/shop', path),
    clear: async () => {
      await db.sql(copiesTable(globals)).delete()
      await db.sql(workTable(globals)).delete()
      for (const name of await readdir(staticDir))
        await rm(join(staticDir, name), { recursive: true })
    },
    stop: async () => {
      await copies.close()
      await network.drop()
      await rm(staticDir, { recursive: true, force: true })
    },
  }
}

export const newClaimId = (): string => randomBytes(8).toString('hex')

/** The paths of all files in a folder, relative to it, sorted; without the numbers of publications. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('.published/'))
    .sort()
}

/** The files of a copy in a folder. */
export const copyFiles = (folder: string): string[] =>
  ['.page.json', 'index.html', 'index.html.br', 'index.html.gz'].map((name) => join(folder, name))

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

export const HIDDEN = { reason: 'page_not_public', message: 'Hidden.' } as const

/** A page that is not public. */
export const hidden = (page: number, path: string): WantedCopy => ({
  page,
  url: SHOP + path,
  pageModified: MODIFIED,
  publication: HIDDEN,
})
