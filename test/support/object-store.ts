import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { parseStoreAddress, type StoreAddress } from '../../src/config/store-address.ts'
import { freePort } from './free-port.ts'
import { onceInRun } from './once-in-run.ts'

const run = promisify(execFile)

const ROOT = resolve(import.meta.dirname, '../..')
const FOLDER = resolve(ROOT, '.data/s3')
const PROGRAM = resolve(FOLDER, 'bin/s3-server')

/** A running S3 server. */
export type ObjectStoreServer = {
  readonly endpoint: string
  /** The setting STATIC_TARGET for a bucket. */
  setting(bucket: string, prefix?: string): string
  address(bucket: string, prefix?: string): StoreAddress
  /** Creates a bucket whose objects everybody may read. */
  createBucket(bucket: string): Promise<void>
  stop(): Promise<void>
}

/** Unpacks the program of the S3 server, on Debian, unless it is there. */
export async function fetchObjectStore(): Promise<void> {
  if (!existsSync(PROGRAM)) await run(resolve(ROOT, '.ci/fetch-s3'), [FOLDER])
}

/** Starts an S3 server with conditional requests, without buckets. The first test of a run unpacks its program. */
export async function startObjectStore(): Promise<ObjectStoreServer> {
  await onceInRun('s3-server', fetchObjectStore)
  return runObjectStore()
}

/** Like `startObjectStore`, outside of tests: the program exists (`fetchObjectStore`). */
export async function runObjectStore(): Promise<ObjectStoreServer> {
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
  const setting = (bucket: string, prefix = '') =>
    `s3://${bucket}/${prefix}?endpoint=${encodeURIComponent(endpoint)}`
  return {
    endpoint,
    setting,
    address: (bucket, prefix) => {
      const address = parseStoreAddress(setting(bucket, prefix))
      if (typeof address === 'string') throw new Error(address)
      return address
    },
    createBucket: async (bucket) => {
      const put = async (path: string, body: string | null = null) => {
        const { ok, status } = await fetch(`${endpoint}/${path}`, { method: 'PUT', body })
        if (!ok) throw new Error(`PUT ${path}: ${status}`)
      }
      await put(bucket)
      // Everybody may read objects, as visitors of a bucket that serves a site.
      const Resource = `arn:aws:s3:::${bucket}/*`
      const reads = { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource }
      await put(`${bucket}?policy`, JSON.stringify({ Version: '2012-10-17', Statement: [reads] }))
    },
    stop: async () => {
      const exit = once(server, 'exit')
      server.kill()
      await exit
    },
  }
}
