import type { Response } from 'supertest'
import { startApi } from './api.ts'
import { createTestExecutor } from './local-executor.ts'
import { useNetwork } from './network.ts'
import { use, useFolder } from './use.ts'

/** A response of the API. */
export type Answer = Pick<Response, 'status' | 'body'>

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Starts the API on a cloned network, with static copies in a temporary folder, called as the shop's administrator; it ends with the tests. */
export async function useFramesApi() {
  const network = await useNetwork()
  const staticDir = await useFolder('static')
  const executor = createTestExecutor({ ...network, staticDir })
  const api = await use(startApi(network, { executor }))
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
  }
}
