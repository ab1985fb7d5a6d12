import { execFile, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Demo, startDemo, untilRunning } from '../support/demo.ts'
import { freePort } from '../support/free-port.ts'
import { programArgs } from '../support/program.ts'
import { useFolder } from '../support/use.ts'

const folder = await useFolder('tour')
const [api, front, dev] = await Promise.all([freePort(), freePort(), freePort()])
let demo: Demo
let env: Record<string, string>

/** The blocks of commands in a guide. */
const blocksOf = (guide: string, kind: string): string[] => {
  const text = readFileSync(resolve(import.meta.dirname, `../../docs/${guide}.md`), 'utf8')
  const blocks = text.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, 'gms'))
  return [...blocks].map(([, block = '']) => block)
}
const blocks = blocksOf('start', 'sh')

beforeAll(async () => {
  demo = await startDemo(folder, { PORT: String(api), FRONT_PORT: String(front) })
  await untilRunning(demo)
  env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: folder }
  await installProgram()
})
afterAll(async () => {
  demo.process.kill('SIGINT')
  await demo.ended
})

/** `npx wp-frames` is the compiled program, as after `npm run build:program` in the folder of the project. */
async function installProgram(): Promise<void> {
  const program = [process.execPath, ...(await programArgs('src/main'))]
  mkdirSync(join(folder, 'bin'))
  const npx = `#!/bin/sh\nshift\nexec ${program.join(' ')} "$@"\n`
  writeFileSync(join(folder, 'bin/npx'), npx)
  chmodSync(join(folder, 'bin/npx'), 0o755)
}

/** The next block of the guide as a reader runs it, with the ports of this test. */
function nextBlock(values: Record<string, string> = {}): string {
  let text = (blocks.shift() ?? '')
    .replaceAll('8080', String(api))
    .replace(/^npx wp-frames frames dev .*\n/m, '')
  for (const [name, value] of Object.entries(values)) text = text.replaceAll(`<${name}>`, value)
  return text
}

/** Runs commands of the guide; later ones keep the variables of earlier ones. */
async function run(text: string): Promise<string> {
  const script = `set -e\n${text}`
  const options = { cwd: folder, env }
  const { stdout } = await promisify(execFile)('sh', ['-c', script], options)
  return stdout
}

const read = async (port: number, path: string): Promise<string> =>
  (await fetch(`http://localhost:${port}${path}`)).text()

it('the tour shows what it promises', { timeout: 180_000 }, async () => {
  // 1. Start
  expect(blocks.shift()).toBe('npm start\n')
  expect(await read(front, '/')).toContain('<h1>Coffee from the quay</h1>')

  // 3. Change three sites at once
  expect(await run(nextBlock())).toMatch(/34 pages.*, run \S+: 3 steps on 3 sites/s)
  for (const path of ['/', '/hamburg/', '/marseille/carte/'])
    expect(await read(front, path)).toContain('--accent: #1f6f5c')

  // 4. Undo
  const [, id = ''] = /^(\S{8}) .* done /m.exec(await run('npx wp-frames runs')) ?? []
  expect(await run(nextBlock({ run: id }))).toContain(id)
  expect(await read(front, '/hamburg/')).toContain('--accent: #a5432a')

  // 5. Work in your editor
  expect(await run(nextBlock())).toContain('8 frames in frames: 8 new')
  const args = ['wp-frames', 'frames', 'dev', 'frames', '--site', 'hamburg', '--port', String(dev)]
  const server = spawn(join(folder, 'bin/npx'), args, { cwd: folder, env })
  await new Promise((ready) => server.stdout.once('data', ready))
  await run(nextBlock())
  const note = '<p>Hello from the tour</p>'
  expect(await read(dev, '/hamburg/')).toContain(note)
  expect(await read(front, '/hamburg/')).not.toContain(note)
  server.kill('SIGINT')
  await new Promise((ended) => server.once('exit', ended))
  expect(await run(nextBlock())).toMatch(/3 pages.*, run \S+: 1 step on 1 site/s)
  expect(await read(front, '/hamburg/')).toContain(note)

  // 6. Copy a menu
  await run(nextBlock())
  expect(await read(front, '/hamburg/')).toContain('>Open on Sunday</a>')
  expect(await run(nextBlock())).toContain('menu tour (created)')

  // 8. Check the network
  expect(await run(nextBlock())).toContain('nothing wrong')

  // 9. Issue a token
  const printed = await run(nextBlock())
  expect(printed).toContain('"success":true')
  expect(printed).toContain('insufficient_scope')
  expect(printed).toMatch(/^2 +admin +tour +read +2 /m)
  expect(await run('npx wp-frames token list')).toMatch(/^2 .* revoked /m)
  expect(blocks).toEqual([])
})

it('the worked example of "The network as code" prints what the guide says', {
  timeout: 180_000,
}, async () => {
  const outputs: string[] = []
  for (const block of blocksOf('network', 'sh example')) outputs.push(await run(block))
  const [init, apply, restore] = outputs
  expect(init).toContain('0 steps on 0 sites')
  expect(apply).toContain('+ 2 frames created')
  expect(apply).toContain('+<p><a href="/imprint">Imprint</a></p>')
  expect(restore).toMatch(/frame footer-note was changed by /)
  expect(restore).toContain('1 step on 1 site, 1 without changes')
})
