import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { lockRegistry } from '../../../src/content/frames/registry.ts'
import { answersTable } from '../../../src/record/idempotency/kept-answers.ts'
import { issueTokenFor } from '../../support/api.ts'
import { eventually } from '../../support/eventually.ts'
import { listen } from '../../support/listen.ts'
import { useNetwork } from '../../support/network.ts'
import { startServeProcesses } from '../../support/serve-processes.ts'
import { use } from '../../support/use.ts'

const PROCESSES = 2
const REQUESTS = 26

const network = await useNetwork()
const token = await issueTokenFor(network, 'alice')
const start = (count: number, env: Record<string, string> = {}) =>
  use(startServeProcesses(count, network.url, { TABLE_PREFIX: network.globals.basePrefix, ...env }))
const { urls } = await start(PROCESSES, { EFFECTS_BUDGET_MS: '4000' })

/** Kills the only process of a service in the middle of its work. */
async function kill({ processes: [child] }: Awaited<ReturnType<typeof start>>): Promise<void> {
  const exit = child && once(child, 'exit')
  child?.kill('SIGKILL')
  await exit
}

type Received = { readonly status: number; readonly isReplayed: boolean; readonly text: string }

/** Answers that the service was busy. */
let busy = 0

/** Creates a frame; again while the service is busy. */
async function create(
  url: string | undefined,
  key: string,
  slug: string,
  html = `<p>${slug}</p>`,
): Promise<Received> {
  for (;;) {
    const answer = await fetch(`${url}/site/2/frames`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body: JSON.stringify({ slug, html }),
    })
    const { status, headers } = answer
    const text = await answer.text()
    if (status === 503) {
      busy += 1
      continue
    }
    return { status, isReplayed: headers.get('idempotency-replayed') === 'true', text }
  }
}

async function entriesOf(url: string | undefined, slug: string): Promise<object[]> {
  const answer = await fetch(`${url}/site/2/history?kind=frame&ref=${slug}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  return JSON.parse(await answer.text()).entries
}

/** Number of keys that open transactions have claimed. */
function uncommittedKeys(): Promise<number> {
  const { db, globals } = network
  const count = async (sql: typeof db.sql) =>
    (await sql(answersTable(globals)).whereNull('answer')).length
  return db.sql.transaction(count, { isolationLevel: 'read uncommitted' })
}

describe('a key', () => {
  it('lets equal requests in several processes write once, and gives all the same answer', async () => {
    busy = 0
    for (const slug of ['once-1', 'once-2']) {
      const answers = await Promise.all(
        Array.from({ length: REQUESTS }, (_, at) => create(urls[at % PROCESSES], slug, slug)),
      )
      expect(answers.filter(({ status }) => status !== 200)).toEqual([])
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1)
      expect(await entriesOf(urls[0], slug)).toHaveLength(1)
    }
    // Requests that wait for the key must not block each other.
    expect(busy).toBe(0)
  })

  it('lets a repetition after kill -9 between commit and answer not write again', async () => {
    // An executor that never responds: the process waits for the effects of the committed write.
    let asked = 0
    const executor = await use(
      listen(() => {
        asked += 1
      }),
    )
    const waiting = await start(1, {
      EXECUTOR_URL: `http://127.0.0.1:${executor.port}`,
      EXECUTOR_KEY: 'k'.repeat(64),
    })
    // What no other frame shows needs no executor.
    await create(urls[0], 'embedding', 'embedding', '<!-- svc/frame {"name":"killed"} /-->')
    const sent = create(waiting.urls[0], 'killed', 'killed').catch(() => 'no answer')
    await eventually(() => expect(asked).toBe(1))
    await kill(waiting)
    expect(await sent).toBe('no answer')
    const repeated = await create(urls[0], 'killed', 'killed')
    expect([repeated.status, repeated.isReplayed]).toEqual([200, true])
    const body = JSON.parse(repeated.text)
    expect(body).toMatchObject({ success: true, applied: true, frame: { slug: 'killed' } })
    expect(body.bake).toEqual({ status: 'pending' })
    expect(await create(urls[0], 'killed', 'killed')).toEqual(repeated)
    expect(await entriesOf(urls[0], 'killed')).toHaveLength(1)
  })

  it('is free after kill -9 before the commit', async () => {
    const killed = await start(1)
    const site = await network.site(2)
    await network.db.write({}, async (tx) => {
      // The write has claimed the key, and waits for the frames of the site.
      await lockRegistry(tx, site)
      const sent = create(killed.urls[0], 'uncommitted', 'uncommitted').catch(() => 'no answer')
      await eventually(async () => expect(await uncommittedKeys()).toBe(1))
      await kill(killed)
      expect(await sent).toBe('no answer')
    })
    const repeated = await create(urls[0], 'uncommitted', 'uncommitted')
    expect([repeated.status, repeated.isReplayed]).toEqual([200, false])
    expect(await entriesOf(urls[0], 'uncommitted')).toHaveLength(1)
  })
})
