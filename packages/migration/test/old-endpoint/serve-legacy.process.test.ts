import { describe, expect, it } from 'vitest'
import { databaseNamesTable } from '../../../../src/build/publishing/network-identity.ts'
import { runCommand } from '../../../../test/support/cli.ts'
import { spawnCommand } from '../../../../test/support/cli-process.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { freePort } from '../../../../test/support/free-port.ts'
import { listen } from '../../../../test/support/listen.ts'
import { useNetwork } from '../../../../test/support/network.ts'
import { startServeProcesses } from '../../../../test/support/serve-processes.ts'
import { use } from '../../../../test/support/use.ts'
import { lookAtEndpoint } from '../../src/old-endpoint/legacy-endpoint.ts'
import { startOldEndpoint } from '../old-endpoint.ts'

const network = await useNetwork()
const common = { TABLE_PREFIX: network.globals.basePrefix }

describe('serve with LEGACY_URL', () => {
  it('does not start if that leads back to it, also through a web server', async () => {
    const port = await freePort()
    const webServer = await use(
      listen(async ({ headers, url }, response) => {
        const again = await fetch(`http://127.0.0.1:${port}${url}`, {
          headers: { via: headers.via ?? '' },
        })
        response.writeHead(again.status).end(await again.text())
      }),
    )
    const { ended } = await spawnCommand(['serve', 'api'], {
      ...common,
      DATABASE_URL: network.url,
      STATIC_DIR: '',
      PORT: String(port),
      LEGACY_URL: `http://127.0.0.1:${webServer.port}/media`,
    })
    const { code, stderr } = await ended
    expect(code).toBe(1)
    expect(stderr).toContain('leads back to this service; set it to the address')
  })

  it('starts with a warning if it is not the address of an endpoint', async () => {
    const server = await use(
      listen(({ url }, response) => {
        if (url === '/login') response.writeHead(302, { Location: '/wp-login.php' }).end()
        else response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>')
      }),
    )
    const url = `http://127.0.0.1:${server.port}`
    const settings = { ...common, LEGACY_URL: `${url}/page` }
    const service = await startServeProcesses(1, network.url, settings)
    await service.stop()
    expect(service.logs()).toContain('answers 200 with text/html instead of JSON')
    const lookAt = async (address: string) => (await lookAtEndpoint(address, 5000))?.found
    expect(await lookAt(`${url}/login`)).toBe('redirects (302), perhaps to a login')
    expect(await lookAt(`http://127.0.0.1:${await freePort()}`)).toBe(
      'cannot be reached (ECONNREFUSED)',
    )
  })

  it('passes nothing from a copied database to the endpoint of the original', async () => {
    const old = await use(startOldEndpoint())
    const names = network.db.sql(databaseNamesTable(network.globals))
    await names.clone().delete()
    await names.clone().insert({ digest: Buffer.alloc(32), name: 'elsewhere' })
    const settings = { ...common, LEGACY_URL: old.url }
    const service = await startServeProcesses(1, network.url, settings)
    old.received.length = 0
    const upload = () => service.send('its-token', 'POST', '/site/2/media', {})
    const refused = await upload()
    expect(refused).toMatchObject({ status: 502, body: { code: 'legacy_unavailable' } })
    expect(refused.body.message).toContain('wp-frames network copied')
    expect(old.received).toEqual([])

    await runCommand(['network', 'moved'], { ...common, DATABASE_URL: network.url, STATIC_DIR: '' })
    await eventually(async () => expect(await upload()).toMatchObject({ status: 200 }))
    expect(old.received).toMatchObject([{ method: 'POST', url: '/old/v1/site/2/media' }])
    await service.stop()
  })
})
