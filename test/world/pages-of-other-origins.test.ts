import { describe, expect, it } from 'vitest'
import { startApi } from '../support/api.ts'
import { useNetwork } from '../support/network.ts'
import { use } from '../support/use.ts'

const network = await useNetwork()
const APP = 'https://app.example'
const PREFLIGHT = {
  Origin: APP,
  'Access-Control-Request-Method': 'PUT',
  'Access-Control-Request-Headers': 'authorization,if-match',
}

/**
 * A page of another origin uses the API with a token.
 * Right: the Fetch standard, "CORS protocol": browsers ask first, without credentials, and let the page read what the headers allow.
 */
describe('pages of other origins', () => {
  it.each([
    [[APP, 'https://other.example'], APP],
    [['*'], '*'],
  ])('may use the API if the operator allows %j', async (corsOrigins, allowed) => {
    const api = await use(startApi(network, { corsOrigins }))
    const preflight = await (await api.as()).options('/site/2/menus').set(PREFLIGHT).expect(204)
    expect(preflight.get('Access-Control-Allow-Origin')).toBe(allowed)
    expect(preflight.get('Access-Control-Allow-Methods')).toContain('PUT')
    expect(preflight.get('Access-Control-Allow-Headers')).toMatch(/Authorization,.*If-Match/)
    const answer = await (await api.as('alice')).get('/site/2/menus').set('Origin', APP).expect(200)
    expect(answer.get('Access-Control-Allow-Origin')).toBe(allowed)
    expect(answer.get('Access-Control-Expose-Headers')).toContain('ETag')
    expect(answer.get('Access-Control-Allow-Credentials')).toBeUndefined()
    const refused = await (await api.as()).get('/site/2/menus').set('Origin', APP).expect(401)
    expect(refused.get('Access-Control-Allow-Origin')).toBe(allowed)
  })

  it('of origins that are not allowed get no permission', async () => {
    const api = await use(startApi(network, { corsOrigins: ['https://other.example'] }))
    const preflight = await (await api.as()).options('/site/2/menus').set(PREFLIGHT)
    expect(preflight.get('Access-Control-Allow-Origin')).toBeUndefined()
    const answer = await (await api.as('alice')).get('/site/2/menus').set('Origin', APP)
    expect(answer.get('Access-Control-Allow-Origin')).toBeUndefined()
    expect(answer.get('Vary')).toContain('Origin')
  })

  it('may do nothing if the operator allows nobody', async () => {
    const api = await use(startApi(network))
    const preflight = await (await api.as()).options('/site/2/menus').set(PREFLIGHT).expect(404)
    expect(preflight.get('Access-Control-Allow-Origin')).toBeUndefined()
  })
})
