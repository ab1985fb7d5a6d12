import { generateKeyPairSync } from 'node:crypto'
import supertest from 'supertest'
import { expect, it } from 'vitest'
import { issueTokenFor } from '../../support/api.ts'
import { cloneNetwork } from '../../support/network.ts'
import { startServeProcesses } from '../../support/serve-processes.ts'
import { use } from '../../support/use.ts'

const network = await use(cloneNetwork())
const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const env = { TABLE_PREFIX: network.globals.basePrefix }
const executor = await use(
  startServeProcesses(1, network.url, { ...env, EXECUTOR_KEY: publicKey }, 'executor'),
)
const [url = ''] = executor.urls
const api = await use(
  startServeProcesses(1, network.url, {
    ...env,
    EXECUTOR_URL: url,
    EXECUTOR_KEY: privateKey,
    EXECUTOR_TIMEOUT_MS: '20000',
  }),
)

it('frames written through the API of one process are built by the executor of another', async () => {
  const token = await issueTokenFor(network, 'alice')
  const put = (slug: string) =>
    supertest(api.urls[0] ?? '')
      .post('/site/2/frames')
      .set('Authorization', `Bearer ${token}`)
      .send({ slug, html: '<p>x</p>' })
  const { status, body } = await put('built')
  expect([status, body.bake?.status]).toEqual([200, 'ok'])
  await executor.stop()
  expect((await put('saved')).body.error).toBe('internal_unavailable')
})
