import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Response } from 'supertest'
import { createLog } from '../../src/log.ts'
import { startApi, type TestApi } from './api.ts'
import { createTestExecutor } from './local-executor.ts'
import { cloneNetwork, type TestNetwork } from './network.ts'

/** A response of the API. */
export type Answer = Pick<Response, 'status' | 'body'>

type Send = (
  method: 'get' | 'post' | 'put' | 'patch' | 'delete',
  path: string,
  body?: object,
) => Promise<Answer>

/** The API on a cloned network, with static copies in a temporary folder, called as the shop's administrator. */
export type FramesApi = {
  readonly network: TestNetwork
  readonly api: TestApi
  readonly staticDir: string
  /** Sends a request about the shop, or about another site if the path begins with `/site`. Throws if the message of an error is no sentence. */
  readonly send: Send
  stop(): Promise<void>
}

/** Starts it. Call `stop` when done: nothing is left behind. */
export async function startFramesApi(): Promise<FramesApi> {
  const network = await cloneNetwork()
  const staticDir = await mkdtemp(join(tmpdir(), 'wp-frames-static-'))
  const executor = createTestExecutor({ ...network, log: createLog('silent'), staticDir })
  const api = await startApi(network, { executor })
  const agent = await api.as('alice')
  return {
    network,
    api,
    staticDir,
    send: async (method, path, body) => {
      const request = agent[method](path.startsWith('/site') ? path : `/site/2${path}`)
      const { status, body: answer } = await (body === undefined ? request : request.send(body))
      if (status >= 400 && !/^[A-Z0-9].{10,}\.$/s.test(answer.message))
        throw new Error(`${status} with the message "${answer.message}"`)
      return { status, body: answer }
    },
    stop: async () => {
      await api.close()
      await network.drop()
      await rm(staticDir, { recursive: true, force: true })
    },
  }
}
