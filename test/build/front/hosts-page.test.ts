import { describe, expect, it } from 'vitest'
import { isLocalHost } from '../../../src/build/front/hosts-page.ts'
import { useFront } from '../../support/front.ts'

describe('an address at a host of no site', async () => {
  const running = await useFront()
  const tried = await useFront({ front: (options) => ({ ...options, listsHosts: true }) })
  const address = 'http://nobody<b>.test/'

  it('is not found for visitors, who learn no host', async () => {
    const { status, body } = await running.ask('http://nobody.test/')
    expect(status).toBe(404)
    expect(body).not.toContain('brand.test')
  })

  it('shows an operator who tries the front the hosts of the network', async () => {
    const { status, body } = await tried.ask('http://nobody.test/page/')
    expect(status).toBe(404)
    expect(body).toContain('No site has the host <code>nobody.test</code>')
    expect(body).toContain('<a href="http://net.test/">net.test</a> (3 sites)')
    expect(body).toContain('<a href="http://brand.test/">brand.test</a>')
  })

  it('prints no markup of the request', async () => {
    expect((await tried.ask(address)).body).not.toContain('<b>.test')
  })

  it('is plain for a page that a known host lacks', async () => {
    expect((await tried.ask('http://net.test/nothing/')).body).toContain('There is no page')
  })
})

it.each([
  ['127.0.0.1', true],
  ['localhost', true],
  ['::1', true],
  ['192.168.1.20', true],
  ['10.1.2.3', true],
  ['172.31.0.1', true],
  ['fd12:3456::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['172.32.0.1', false],
  ['203.0.113.5', false],
  ['localhost.example.org', false],
])('only %s that is not public is local: %s', (host, expected) => {
  expect(isLocalHost(host)).toBe(expected)
})
