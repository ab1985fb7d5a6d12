import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { startObjectStore } from '../../../packages/store-s3/test/object-store.ts'
import { STORE_CREDENTIALS } from '../../../packages/store-s3/test/store-keys.ts'
import { startStoreRelay } from '../../../packages/store-s3/test/store-relay.ts'
import { type CopyRecord, listCopyRecords } from '../../../src/build/publishing/copies-table.ts'
import { readCopy } from '../../../src/build/publishing/static-copy.ts'
import { createLog } from '../../../src/host/log.ts'
import { type CommandResult, commandsOn, runCommand } from '../../support/cli.ts'
import { useFront } from '../../support/front.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { use, useFolder } from '../../support/use.ts'

/** A network with pages of site 2 in a folder, and a bucket behind a relay. */
export async function useMovableCopies(pages: number) {
  const folder = join(await useFolder('copies'), 'static')
  const front = await useFront({ staticDir: folder })
  const server = await use(startObjectStore())
  const relay = await use(startStoreRelay(server.endpoint))
  await server.createBucket('copies')
  const store = `s3://copies/live?endpoint=${relay.endpoint}`
  const { network, executor } = front
  const site = await network.site(2)
  const fixture = createSiteFixture(network.db, site, { executor })
  await fixture.frame('page', '<h1 data-op-bind="page.title"></h1>')
  const ids: number[] = [7, 8, 10]
  for (let n = ids.length; n < pages; n += 1) ids.push(await fixture.page({ slug: `moved-${n}` }))
  await fixture.assign('page', ids)

  const environment = {
    ...commandsOn(network).environment,
    AWS_ACCESS_KEY_ID: STORE_CREDENTIALS.keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: STORE_CREDENTIALS.keys.secretAccessKey,
  }
  const run = (target: Record<string, string>, ...args: string[]): Promise<CommandResult> =>
    runCommand(['copies', ...args], { ...environment, ...target })

  const records = (): Promise<CopyRecord[]> => listCopyRecords(network.db, site)
  const pathOf = (url: string) => url.replace(/^https?:\/\//, '')

  /** The HTML in the store of a URL. */
  const inStore = async (url: string): Promise<string | undefined> => {
    const response = await fetch(`${server.endpoint}/copies/live/${pathOf(url)}index.html`)
    if (response.status !== 200) return undefined
    const bytes = Buffer.from(await response.arrayBuffer())
    return (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString()
  }
  const inFolder = async (url: string, at = folder): Promise<string | undefined> =>
    (await readCopy(at, join(at, pathOf(url))))?.html.toString()

  /** How the copies differ from the pages as they are now, by page. */
  const differences = async (read: (url: string) => Promise<string | undefined>) => {
    const different: string[] = []
    for (const { page, url } of await records()) {
      const html = await executor.renderById(site, page)
      if ((await read(url)) !== html) different.push(`${page}: ${await read(url)} is not ${html}`)
    }
    return different
  }

  /** Edits a title as WordPress does. */
  const retitle = (page: number, title: string) =>
    network.db
      .sql(site.tables.posts)
      .where({ ID: page })
      .update({
        post_title: title,
        post_modified_gmt: new Date().toISOString().slice(0, 19).replace('T', ' '),
      })
  const unpublish = (page: number) =>
    network.db.sql(site.tables.posts).where({ ID: page }).update({ post_status: 'draft' })

  /** How often each copy was sent to the store. */
  const sent = () => {
    const counts = new Map<string, number>()
    for (const request of relay.requests) {
      const [, key] = /^PUT \/copies\/(live\/.*index\.html)$/.exec(request) ?? []
      if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return counts
  }
  const log = createLog('silent')
  return {
    front,
    network,
    site,
    folder,
    server,
    relay,
    store,
    ids,
    environment,
    log,
    run,
    records,
    inStore,
    inFolder,
    differences,
    retitle,
    unpublish,
    sent,
  }
}
