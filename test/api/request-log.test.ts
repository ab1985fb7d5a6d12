import { describe, expect, it } from 'vitest'
import { redactTokens } from '../../src/api/request-log.ts'
import { AppError } from '../../src/host/errors.ts'
import { generateToken } from '../../src/record/auth/tokens.ts'
import { startApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { createTestExecutor } from '../support/local-executor.ts'
import { useNetwork } from '../support/network.ts'
import { recordLog } from '../support/recorded-log.ts'
import { use } from '../support/use.ts'

const { log, lines, entries } = recordLog()
const network = await useNetwork()
const executor = await use(createTestExecutor({ ...network, log }))
const api = await use(startApi(network, { log, executor }))

const requests = () => entries().filter(({ res }) => res !== undefined)

describe('the line of a request', () => {
  it('has the token and the site, as far as they are known', async () => {
    const [alice, nobody] = [await api.as('alice'), await api.as()]
    const tokens = await network.db.sql(`${network.globals.basePrefix}svc_tokens`).select('id')
    const { id } = tokens.at(-1)
    await alice.get('/site/2/frames').expect(200)
    await alice.get('/site/2/frames/none').expect(404)
    await alice.get('/site/3/frames').expect(404)
    await nobody.get('/site/2/frames').expect(401)
    await eventually(() => expect(requests()).toHaveLength(4))
    expect(requests().map(({ site, token, res }) => ({ site, token, status: res.status }))).toEqual(
      [
        { site: 2, token: id, status: 200 },
        { site: 2, token: id, status: 404 },
        { token: id, status: 404 },
        { status: 401 },
      ],
    )
  })
})

describe('the level of a request', () => {
  it('is a warning if the service was busy, and an error if it failed', async () => {
    const failures: Error[] = [
      new AppError('service_busy', 'busy', { retry_after: 5 }),
      new Error('broken'),
    ]
    const fail = () => Promise.reject(failures.shift())
    const failing = await startApi(network, {
      log,
      executor: { apply: fail, rebake: fail, render: async () => undefined },
    })
    const alice = await failing.as('alice')
    lines.length = 0
    await alice.post('/site/2/frames/rebake').send({ all: true }).expect(503)
    await alice.post('/site/2/frames/rebake').send({ all: true }).expect(500)
    await eventually(() => expect(requests()).toHaveLength(2))
    expect(requests().map(({ level }) => log.levels.labels[level])).toEqual(['warn', 'error'])
    await failing.close()
  })
})

describe('a path in the log', () => {
  const token = generateToken()
  const encodings: [string, (text: string) => string][] = [
    ['as it is', (text) => text],
    ['with its underscore encoded', (text) => text.replace('_', '%5F')],
    ['with a letter encoded', (text) => text.replace('o', '%6f')],
    ['encoded twice', (text) => text.replace('_', '%255f')],
    ['encoded very often', (text) => text.replace('_', `%${'25'.repeat(2000)}5f`)],
    ['beside what is not UTF-8', (text) => `%ff${text.replace('_', '%5f')}`],
    ['beside a percent sign', (text) => `100%25${text.replace('_', '%5f')}`],
  ]

  it.each(encodings)('contains no token: %s', async (_what, encode) => {
    const path = `/site/2/frames/${encode(token)}`
    expect(redactTokens(path)).not.toContain(token.slice(10, 30))
    await fetch(`${api.url}${path}`)
    await eventually(() => expect(lines.at(-1)).toContain('request completed'))
    expect(lines.join('')).not.toContain(token.slice(10, 30))
  })

  it.each(['/site/2/frames/%F0%9F%98%80', '/site/2/frames/100%25', '/site/2/menus'])(
    'is as it was sent: %s',
    (path) => {
      expect(redactTokens(path)).toBe(path)
    },
  )
})

describe('X-Forwarded-For', () => {
  const warnings = () => lines.filter((line) => line.includes('TRUST_PROXY'))

  it('is warned about once if no proxy is trusted', async () => {
    const alice = await api.as('alice')
    for (let sent = 0; sent < 3; sent += 1)
      await alice.get('/site/2/menus').set('X-Forwarded-For', '192.0.2.1').expect(200)
    expect(warnings()).toHaveLength(1)
  })
})

describe('the log', () => {
  it('never contains markup, even when the database rejects it', async () => {
    const alice = await api.as('alice')
    const html = `<p>${'a secret draft '.repeat(40)}</p>`
    const write = (slug: string) => alice.post('/site/2/frames').send({ slug, html })
    await write('drafted').expect(200)
    const broken = `${html}<!-- svc/what {"a secret draft": -->`
    await alice.put('/site/2/frames/drafted').send({ html: broken }).expect(200)
    await alice.post('/site/2/frames').type('json').send(`{"html": "${html}`).expect(400)
    const { options } = (await network.site(2)).tables
    await network.db.sql.raw(
      'ALTER TABLE ?? ADD CONSTRAINT no_drafts CHECK (option_value NOT LIKE ?)',
      [options, '%a secret draft a secret%refused%'],
    )
    await alice
      .post('/site/2/frames')
      .send({ slug: 'refused', html: `${html}refused` })
      .expect(409)
    await eventually(() => expect(lines.join('')).toContain('request failed'))
    expect(lines.join('')).toContain('no_drafts')
    expect(lines.join('')).not.toContain('secret draft')
  })
})
