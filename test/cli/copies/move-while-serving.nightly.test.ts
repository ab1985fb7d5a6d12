import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SCRUB, urgentScrub } from '../../../src/build/publishing/scrub-position.ts'
import { spawnCommand } from '../../support/cli-process.ts'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/free-port.ts'
import { ask } from '../../support/front.ts'
import { startServeProcesses } from '../../support/serve-processes.ts'
import { taskRow } from '../../support/tasks.ts'
import { useFolder } from '../../support/use.ts'
import { useMovableCopies } from './copies-fixture.ts'

const PAGES = 120
const moving = await useMovableCopies(PAGES)
const { network, relay, folder, store, ids, run, sent, environment } = moving

/** A process that serves everything, with a target. */
async function serve(target: Record<string, string>) {
  const { DATABASE_URL, LOG_LEVEL: _, ...common } = environment
  const port = await freePort()
  const env = { ...common, FRONT_PORT: String(port), WATCH_SECONDS: '1', ...target }
  const service = await startServeProcesses(1, DATABASE_URL, env, '')
  return { ...service, ask: (path: string) => ask(port, `http://net.test${path}`) }
}

const backParent = await useFolder('copies-back')
const page = (at: number): number => ids[at] ?? 0

it('copies are moved to a store and back while the service serves and pages are edited', async () => {
  const before = await serve({ STATIC_DIR: folder })
  try {
    // Killed after some copies.
    const first = await spawnCommand(['copies', 'move', '--to', store], {
      ...environment,
      STATIC_DIR: folder,
    })
    let puts = 0
    relay.interfere = ({ method = '', url = '' }) => {
      if (method === 'PUT' && url.endsWith('index.html')) puts += 1
      if (puts === 30) first.child.kill('SIGKILL')
      return undefined
    }
    expect((await first.ended).code).not.toBe(0)
    const before30 = sent()
    expect(before30.size).toBeGreaterThan(10)
    expect(before30.size).toBeLessThan(PAGES)

    // Edited after it was copied, and during the second run.
    await moving.retitle(page(0), 'Edited between the runs')
    await moving.unpublish(page(1))
    puts = 0
    relay.interfere = ({ method = '', url = '' }) => {
      if (method === 'PUT' && url.endsWith('index.html')) puts += 1
      if (puts === 20) void moving.retitle(page(100), 'Edited during the move')
      return undefined
    }
    expect((await before.ask('/shop/about-us/')).status).toBe(200)
    const moved = await run({ STATIC_DIR: folder }, 'move', '--to', store, '--json')
    expect(moved).toMatchObject({ code: 0, stderr: '' })
    relay.interfere = () => undefined
    expect(JSON.parse(moved.stdout)).toMatchObject({ waiting: 0 })
    const again = await run({ STATIC_DIR: folder }, 'move', '--to', store)
    expect(again.code).toBe(0)
    expect(again.stdout).toContain('Set STATIC_TARGET to it for all processes and restart them.')

    // Only what was being written at the moment of the kill, and what was edited, was sent twice.
    const repeated = [...sent()].filter(([, times]) => times > 1)
    expect(repeated.length).toBeLessThanOrEqual(50 + 1)
  } finally {
    await before.stop()
  }

  // Edited by a process that has the old target, after the last pass.
  const late = await serve({ STATIC_DIR: folder })
  await moving.retitle(page(50), 'Edited after the move')
  await eventually(async () => expect(await moving.differences(moving.inFolder)).toEqual([]))
  await late.stop()

  relay.requests.length = 0
  const after = await serve({ STATIC_TARGET: store })
  try {
    // A whole round of the scrub.
    await network.db.write({}, (tx) => urgentScrub(tx, network.globals))
    await eventually(async () => {
      const { state } = await taskRow(network, SCRUB).first('state')
      expect(JSON.parse(state)).toMatchObject({ isUrgent: false })
    })
    await eventually(async () => expect(await moving.differences(moving.inStore)).toEqual([]))
    expect(await moving.records()).toHaveLength(PAGES - 1)
    // Only what was published after the move was sent.
    expect([...sent().keys()]).toEqual([expect.stringMatching(/moved-50\/index\.html$/)])
    const [, moved50 = ''] = /(\/shop\/.*)index/.exec([...sent().keys()][0] ?? '') ?? []
    expect((await after.ask(moved50)).body).toBe('<h1>Edited after the move</h1>')

    // The old copies; what another program has stored there stays.
    await mkdir(join(folder, 'other.test'), { recursive: true })
    await writeFile(join(folder, 'other.test/index.html'), 'by hand')
    const deleted = await run({ STATIC_TARGET: store }, 'delete', '--at', folder)
    expect(deleted).toMatchObject({ code: 0, stderr: '' })
    expect(deleted.stdout).toMatch(/^\d+ copies were deleted in .*, and the marker\./)
    const left = await readdir(folder, { recursive: true })
    expect(left.filter((name) => name.endsWith('.html') || name === '.wp-frames')).toEqual([
      'other.test/index.html',
    ])
    expect(await moving.differences(moving.inStore)).toEqual([])
  } finally {
    await after.stop()
  }

  // Back, into another folder.
  const back = join(backParent, 'static')
  const returned = await run({ STATIC_TARGET: store }, 'move', '--to', back)
  expect(returned).toMatchObject({ code: 0, stderr: '' })
  expect(returned.stdout).toContain('Set STATIC_DIR to it')
  const written = await moving.records()
  const home = await serve({ STATIC_DIR: back })
  try {
    await eventually(() => expect(existsSync(join(back, '.published/2.1'))).toBe(false))
    expect(await moving.differences((url) => moving.inFolder(url, back))).toEqual([])
    expect((await home.ask('/shop/about-us/')).status).toBe(200)
    expect(await moving.records()).toEqual(written)
  } finally {
    await home.stop()
  }
  const cleared = await run({ STATIC_DIR: back }, 'delete', '--at', store)
  expect(cleared).toMatchObject({ code: 0, stderr: '' })
  const response = await fetch(`${moving.server.endpoint}/copies?list-type=2`)
  expect(await response.text()).not.toContain('<Key>')
}, 300_000)
