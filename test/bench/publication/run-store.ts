import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeHtml } from '../../../packages/store-s3/src/copy-object.ts'
import { REQUESTS_PER_SITE, StoreClient } from '../../../packages/store-s3/src/store-client.ts'
import { StoreCredentials } from '../../../packages/store-s3/src/store-credentials.ts'
import { StoreObjects } from '../../../packages/store-s3/src/store-objects.ts'
import {
  fetchObjectStore,
  type ObjectStoreServer,
  runObjectStore,
} from '../../../packages/store-s3/test/object-store.ts'
import { STORE_CREDENTIALS } from '../../../packages/store-s3/test/store-keys.ts'
import { forEachBounded } from '../../../src/host/concurrency/for-each.ts'
import { sha256Hex } from '../../../src/host/hash.ts'
import { TIMINGS } from '../../../src/host/timings.ts'
import { publicationLine } from '../report/publication-lines.ts'
import { atMost } from '../report/verdicts.ts'
import { openBenchDatabase } from '../setup/open-database.ts'
import { startService, staticDir } from '../setup/start-service.ts'
import { Undo } from '../setup/undo.ts'
import { createPublicationSite } from './publication-site.ts'
import { type CopiesToCompare, folderCopies, type Publication, publish } from './publish.ts'

const BUCKET = 'copies'
/** Until the memory and the connections of a new process have settled. */
const SETTLE_MS = 2000
/** The store may take this many times as long as the folder. */
const MAX_RATIO = 3

/** Publishes a site to a folder, and a site like it to an S3 server on this machine, and measures what the server itself can do. */
export async function runStore(pages: number, undo: Undo): Promise<void> {
  await fetchObjectStore()
  const own = new Undo()
  undo.add(() => own.run())
  const toFolder = await publishTwice(pages, own)
  const server = await runObjectStore()
  own.add(() => server.stop())
  await server.createBucket(BUCKET)
  const toStore = await publishTwice(pages, own, server)
  for (const [index, { copiesMs }] of toStore.entries()) {
    const folderMs = toFolder[index]?.copiesMs ?? 0
    const name = `publication of ${pages} to the store, ${index === 0 ? 'created' : 'replaced'}`
    console.log(atMost(name, 'times the folder', MAX_RATIO, copiesMs / folderMs).sentence)
  }
  await measureServer(pages, server)
  await own.run()
}

/** The publications of new pages, and of the same pages again, by one process on a database of its own. */
async function publishTwice(
  pages: number,
  undo: Undo,
  server?: ObjectStoreServer,
): Promise<Publication[]> {
  const folder = mkdtempSync(join(tmpdir(), 'wp-frames-store-'))
  undo.add(() => rmSync(folder, { recursive: true, force: true }))
  const database = await openBenchDatabase(folder, undo)
  const own = new Undo()
  undo.add(() => own.run())
  const { keys } = STORE_CREDENTIALS
  const env = server && {
    STATIC_DIR: '',
    STATIC_TARGET: server.setting(BUCKET),
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
  }
  const service = await startService(database, folder, own, { env: env ?? {} })
  const copies = server ? storeCopies(server) : folderCopies(staticDir(folder))
  const site = await createPublicationSite(database, service)
  await site.addPages(pages)
  const measured: Publication[] = []
  for (const isFirst of [true, false]) {
    await sleep(SETTLE_MS)
    const edition = isFirst ? 'created' : 'replaced'
    const publication = await publish({ database, service, copies }, site, {
      pages,
      isFirst,
      edition,
    })
    console.log(`${server ? 'store ' : 'folder'}  ${publicationLine(publication)}`)
    measured.push(publication)
  }
  await own.run()
  return measured
}

function storeCopies(server: ObjectStoreServer): CopiesToCompare {
  const client = new StoreClient(
    server.address(BUCKET),
    new StoreCredentials(STORE_CREDENTIALS, TIMINGS.store),
    TIMINGS.store,
  )
  return {
    countPages: async (below) => {
      let count = 0
      for await (const keys of new StoreObjects(client).list(0, `${below}/`))
        count += keys.filter((key) => /\/page-\d+\/index\.html$/.test(key)).length
      client.close()
      return count
    },
    read: async (path) => (await fetch(`${server.endpoint}/${BUCKET}/${path}/index.html`)).text(),
  }
}

/** What the server takes for the same number of requests of a bare client with kept connections, which signs nothing. */
async function measureServer(pages: number, server: ObjectStoreServer): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const body = await encodeHtml(Buffer.from('<p>A paragraph of a page.</p>\n'.repeat(100)))
  const send = (method: string, number: number) =>
    new Promise<void>((resolve, reject) => {
      const headers = {
        ...(method === 'PUT' ? { 'Content-Length': body.length } : {}),
        Authorization: AUTHORIZATION,
        'X-Amz-Content-Sha256': sha256Hex(body),
      }
      const url = `${server.endpoint}/${BUCKET}/bare/${number}/index.html`
      const sent = request(url, { method, agent, headers }, (response) => {
        response.resume()
        response.on('end', () => resolve())
      })
      sent.on('error', reject)
      sent.end(method === 'PUT' ? body : undefined)
    })
  for (const method of ['PUT', 'HEAD']) {
    const begin = performance.now()
    const numbers = Array.from({ length: pages }, (_, index) => index)
    await forEachBounded(numbers, REQUESTS_PER_SITE, (number) => send(method, number))
    const seconds = (performance.now() - begin) / 1000
    console.log(
      `the server alone: ${pages} ${method} in ${seconds.toFixed(1)} s (${(pages / seconds).toFixed(0)}/s)`,
    )
  }
  agent.destroy()
}

/** The server accepts any signature, and finds the region in it. */
const AUTHORIZATION =
  'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0'
