import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Response } from 'supertest'
import { createLog } from '../../src/host/log.ts'
import { startApi } from './api.ts'
import { createTestExecutor } from './local-executor.ts'
import { cloneNetwork } from './network.ts'

/** A response of the API. */
export type Answer = Pick<Response, 'status' | 'body'>

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The API on a cloned network, with static copies in a temporary folder, called as the shop's administrator. */
export type FramesApi = Awaited<ReturnType<typeof startFramesApi>>

/** Starts it. Call `stop` when done: nothing is left behind. */
export async function startFramesApi() {
  const network = await cloneNetwork()
  const staticDir = await mkdtemp(join(tmpdir(), 'wp-frames-static-'))
  const executor = createTestExecutor({ ...network, log: createLog('silent'), staticDir })
  const api = await startApi(network, { executor })
  const agent = await api.as('alice')
  return {
    network,
    api,
    staticDir,
    /** Sends a request about the shop, or about another site if the path begins with `/site`. Throws if the message of an error is no sentence. */
    send: async (method: Method, path: string, body?: object): Promise<Answer> => {
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
