import {
  fetchObjectStore,
  type ObjectStoreServer,
  runObjectStore,
} from '../../../packages/store-s3/test/object-store.ts'
import { STORE_CREDENTIALS } from '../../../packages/store-s3/test/store-keys.ts'
import { atMost } from '../report/verdicts.ts'
import { openBenchDatabase } from '../setup/open-database.ts'
import { startService, staticDir } from '../setup/start-service.ts'
import type { Undo } from '../setup/undo.ts'
import { createPublicationSite } from './publication-site.ts'
import { type Publication, publicationLine, publish, readFrom } from './publish.ts'

const BUCKET = 'copies'
/** The store may take this many times as long as the folder. */
const MAX_RATIO = 3

/** Publishes a site to a folder, and a site like it to an S3 server on this machine. */
export async function runStore(pages: number, undo: Undo): Promise<void> {
  await fetchObjectStore()
  const toFolder = await publishTwice(pages, undo.part())
  const server = await runObjectStore()
  undo.add(() => server.stop())
  await server.createBucket(BUCKET)
  const toStore = await publishTwice(pages, undo.part(), server)
  for (const [index, { copiesMs }] of toStore.entries()) {
    const folderMs = toFolder[index]?.copiesMs ?? 0
    const name = `publication of ${pages} to the store, ${index === 0 ? 'created' : 'replaced'}`
    console.log(atMost(name, 'times the folder', MAX_RATIO, copiesMs / folderMs).sentence)
  }
}

/** The publications of new pages, and of the same pages again, by one process on a database of its own. */
async function publishTwice(
  pages: number,
  undo: Undo,
  server?: ObjectStoreServer,
): Promise<Publication[]> {
  const folder = undo.folder('store')
  const database = await openBenchDatabase(folder, undo)
  const { keys } = STORE_CREDENTIALS
  const env: Record<string, string> = server
    ? {
        STATIC_DIR: '',
        STATIC_TARGET: server.setting(BUCKET),
        AWS_ACCESS_KEY_ID: keys.accessKeyId,
        AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
      }
    : {}
  const service = await startService(database, folder, undo, { env })
  const readObject = async (path: string) =>
    (await fetch(`${server?.endpoint}/${BUCKET}/${path}/index.html`)).text()
  const readCopy = server ? readObject : readFrom(staticDir(folder))
  const site = await createPublicationSite(database, service)
  await site.addPages(pages)
  const measured: Publication[] = []
  for (const isFirst of [true, false]) {
    const publication = await publish({ database, service, readCopy }, site, { pages, isFirst })
    console.log(publicationLine(server ? 'store' : 'folder', publication))
    measured.push(publication)
  }
  await undo.run()
  return measured
}
