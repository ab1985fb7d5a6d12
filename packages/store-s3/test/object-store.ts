import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { OpenStore } from '../../../src/build/publishing/open-copy-store.ts'
import { parseStoreAddress, type StoreAddress } from '../../../src/host/config/store-address.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { onceInRun } from '../../../test/support/once-in-run.ts'
import { FAST } from '../../../test/support/timings.ts'
import { ObjectStore } from '../src/object-store.ts'
import { StoreClient } from '../src/store-client.ts'
import { StoreCredentials } from '../src/store-credentials.ts'
import { StoreObjects } from '../src/store-objects.ts'
import { STORE_CREDENTIALS } from './store-keys.ts'

const run = promisify(execFile)

const ROOT = resolve(import.meta.dirname, '../../..')
const FOLDER = resolve(ROOT, '.data/s3')
const PROGRAM = resolve(FOLDER, 'bin/s3-server')
/** A server that runs already, such as Ceph's radosgw. It is used by one test file after the other, and accepts the keys of the tests. */
const RUNNING = process.env.TEST_S3_ENDPOINT

/** Opens the store at an address, with the keys of the tests. */
export const storeAt =
  (address: StoreAddress): OpenStore =>
  (context) =>
    new ObjectStore({ ...context, address, credentials: STORE_CREDENTIALS })

/** A running S3 server. */
export type ObjectStoreServer = {
  readonly endpoint: string
  /** The setting STATIC_TARGET for a bucket. */
  setting(bucket: string, prefix?: string): string
  address(bucket: string, prefix?: string): StoreAddress
  /** Creates an empty bucket whose objects everybody may read. */
  createBucket(bucket: string): Promise<void>
  stop(): Promise<void>
}

/** Unpacks the program of the S3 server, on Debian, unless it is there or not needed. */
export async function fetchObjectStore(): Promise<void> {
  if (!RUNNING && !existsSync(PROGRAM)) await run(resolve(ROOT, '.ci/fetch-s3'), [FOLDER])
}

/** Starts an S3 server with conditional requests, without buckets. The first test of a run unpacks its program. */
export async function startObjectStore(): Promise<ObjectStoreServer> {
  await onceInRun('s3-server', fetchObjectStore)
  return runObjectStore()
}

/** Like `startObjectStore`, outside of tests: the program exists (`fetchObjectStore`). */
export async function runObjectStore(): Promise<ObjectStoreServer> {
  if (RUNNING) return serverAt(RUNNING, async () => {})
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const server = spawn(PROGRAM, [String(port)], { stdio: 'ignore' })
  // It never outlives a run that is interrupted.
  const endWithRun = () => void server.kill('SIGKILL')
  process.once('exit', endWithRun)
  server.once('exit', () => process.removeListener('exit', endWithRun))
  while (!(await fetch(endpoint).catch(() => undefined))) {
    if (server.exitCode !== null) throw new Error(`the S3 server ended with ${server.exitCode}`)
    await sleep(50)
  }
  return serverAt(endpoint, async () => {
    const exit = once(server, 'exit')
    server.kill()
    await exit
  })
}

function serverAt(endpoint: string, stop: () => Promise<void>): ObjectStoreServer {
  const setting = (bucket: string, prefix = '') =>
    `s3://${bucket}/${prefix}?endpoint=${encodeURIComponent(endpoint)}`
  const addressOf = (bucket: string, prefix = '') => {
    const address = parseStoreAddress(setting(bucket, prefix))
    if (typeof address === 'string') throw new Error(address)
    return address
  }
  return {
    endpoint,
    setting,
    address: addressOf,
    createBucket: (bucket) => createBucket(addressOf(bucket)),
    stop,
  }
}

async function createBucket(address: StoreAddress): Promise<void> {
  const client = new StoreClient(
    address,
    new StoreCredentials(STORE_CREDENTIALS, FAST.store),
    FAST.store,
  )
  await client.send(0, { method: 'PUT', key: '' })
  // Everybody may read objects, as visitors of a bucket that serves a site, and get 404 for what is missing.
  const arn = `arn:aws:s3:::${address.bucket}`
  const everybody = { Effect: 'Allow', Principal: '*' }
  const Statement = [
    { ...everybody, Action: 's3:GetObject', Resource: `${arn}/*` },
    { ...everybody, Action: 's3:ListBucket', Resource: arn },
  ]
  const body = Buffer.from(JSON.stringify({ Version: '2012-10-17', Statement }))
  await client.send(0, { method: 'PUT', key: '', query: { policy: '' }, body })
  // Left by earlier tests on a server that runs already.
  const objects = new StoreObjects(client)
  for await (const keys of objects.list(0, '')) for (const key of keys) await objects.delete(0, key)
  client.close()
}
