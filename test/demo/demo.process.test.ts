import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Demo, processesOf, startDemo, untilRunning } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { programArgs } from '../support/program.ts'
import { useFolder } from '../support/use.ts'

describe('npm start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wp-frames-demo-'))
  let env: Record<string, string>
  let demo: Demo

  beforeAll(async () => {
    env = {
      // An operator's terminal has the settings of a network in production. None of these is reachable, and none is asked.
      DATABASE_URL: 'mysql://a:b@127.0.0.1:1/network',
      REDIS_URL: 'redis://127.0.0.1:1',
      STATIC_DIR: join(folder, 'of-the-network'),
      PORT: String(await freePort()),
      FRONT_PORT: String(await freePort()),
      LOG_LEVEL: 'info',
    }
    demo = await startDemo(folder, env)
    await untilRunning(demo)
  })
  afterAll(async () => {
    demo.process.kill('SIGTERM')
    await demo.ended
    await eventually(() => expect(processesOf(folder)).toBe(''))
    rmSync(folder, { recursive: true, force: true })
  })

  const welcomeText = () => readFileSync(join(folder, '.data/welcome.txt'), 'utf8')
  const printedCurls = () => welcomeText().match(/^ {2}curl .*$/gm) ?? []

  it('says how far it is, and ends with three lines', () => {
    expect(demo.output()).toMatch(/^3\/4 Database .*^4\/4 Demo network /ms)
    expect(demo.output()).toMatch(
      /\nConsole {2}http\S+\/console\/#token=op_\w+\nFront {4}http:\/\/localhost:\d+\/\nNext {5}\S.*\n\n.*Ctrl-C stops it\.\n$/,
    )
  })

  it('has three commands to paste that answer 2xx with real data when pasted', () => {
    const answers = printedCurls().map((line) => {
      const pasted = line.replace('curl -s', 'curl -s --fail')
      return JSON.parse(execFileSync('sh', ['-c', pasted], { encoding: 'utf8' }))
    })
    expect(answers).toMatchObject([
      { success: true, total: 14 },
      { success: true, total: 16 },
      { success: true, dry_run: true, frame: { slug: 'hello' } },
    ])
  })

  it('shows a page with the header menu of the database, from its static copy', async () => {
    const page = await fetch(`http://localhost:${env.FRONT_PORT}/`)
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html).toContain(
      `<a href="http://localhost:${env.FRONT_PORT}/roastery/">The roastery</a>`,
    )
    expect(html).toContain('<h1>Coffee from the quay</h1>')
  })

  it('keeps the terminal free of log lines, and its addresses where "npm run demo:welcome" finds them', async () => {
    await fetch(`http://localhost:${env.FRONT_PORT}/hamburg/`)
    expect(demo.output()).not.toContain('{"level"')
    expect(readFileSync(join(folder, '.data/service.log'), 'utf8')).toContain('"level":30')
    for (const name of ['welcome.txt', 'demo-database'])
      expect((statSync(join(folder, '.data', name)).mode & 0o777).toString(8)).toBe('600')
  })

  it('is what commands in its folder work on', async () => {
    const program = await programArgs('src/main')
    const options = { cwd: folder, env: { PATH: process.env.PATH }, encoding: 'utf8' as const }
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [...program, ...args], options)
    expect(run('sites')).toContain('The Mokhaven Journal')
    const { entries } = JSON.parse(run('history', '--site', '2', '--json'))
    expect(new Set(entries.map(({ user_id }: { user_id: number }) => user_id))).toEqual(
      new Set([1]),
    )
  })

  it('answers a write in time while another process builds the site', async () => {
    const database = await createConnection(
      readFileSync(join(folder, '.data/demo-database'), 'utf8'),
    )
    const [, token] = /#token=(op_\S+)/.exec(demo.output()) ?? []
    try {
      await database.query(
        "REPLACE INTO wp_svc_tasks (name, owner, due_at) VALUES ('site:2', 'another one', NOW(6) + INTERVAL 30 SECOND)",
      )
      const answer = await fetch(`http://127.0.0.1:${env.PORT}/site/2/frames/rebake`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ all: true }),
      })
      expect(await answer.json()).toMatchObject({ success: true, republish: { status: 'pending' } })
    } finally {
      await database.query("DELETE FROM wp_svc_tasks WHERE name = 'site:2'")
      await database.end()
    }
  })

  it('lists its hosts at an address of no site', async () => {
    const answer = await fetch(`http://127.0.0.1:${env.FRONT_PORT}/`)
    expect(answer.status).toBe(404)
    const html = await answer.text()
    const { FRONT_PORT: port } = env
    expect(html).toContain(`<a href="http://localhost:${port}/">localhost:${port}</a> (3 sites)`)
    expect(html).toContain(`<a href="http://journal.localhost:${port}/">`)
  })

  it('stops everything on Ctrl-C, says what stays, and starts again with the same token, database and data', async () => {
    const [, token] = /#token=(op_\S+)/.exec(demo.output()) ?? []
    const database = readFileSync(join(folder, '.data/demo-database'), 'utf8')
    demo.process.kill('SIGINT')
    expect(await demo.ended).toBe(0)
    await eventually(() => expect(processesOf(folder)).toBe(''))
    expect(demo.output()).toMatch(/Stopped\. The demo network stays in \.data \(\d+ MB\)/)
    expect(existsSync(join(folder, '.data/welcome.txt'))).toBe(false)
    expect(existsSync(join(folder, '.data/demo-database'))).toBe(false)

    env = { ...env, FRONT_PORT: String(await freePort()) }
    demo = await startDemo(folder, env)
    await untilRunning(demo)
    expect(demo.output()).not.toContain('Creating a private database')
    expect(demo.output()).toContain(`#token=${token}`)
    expect(readFileSync(join(folder, '.data/demo-database'), 'utf8')).toBe(database)
    const html = await (await fetch(`http://localhost:${env.FRONT_PORT}/hamburg/`)).text()
    expect(html).toContain(
      `<a href="http://localhost:${env.FRONT_PORT}/hamburg/karte/">Die Karte</a>`,
    )
  })
})

it('npm start reports that no database answers at DEMO_DATABASE_URL, and ends', async () => {
  const folder = await useFolder('demo')
  const address = `127.0.0.1:${await freePort()}`
  const demo = await startDemo(folder, { DEMO_DATABASE_URL: `mysql://a:b@${address}/x` })
  expect(await demo.ended).toBe(1)
  await eventually(() => expect(processesOf(folder)).toBe(''))
  expect(demo.output()).toContain(
    `The database is unreachable: no server listens at ${address} (ECONNREFUSED). Check that the server is running, and the host and port in DEMO_DATABASE_URL.\n`,
  )
})
