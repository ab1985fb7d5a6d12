import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startDemo, untilRunning } from '../support/demo.ts'
import { freePort } from '../support/free-port.ts'
import { programArgs } from '../support/program.ts'
import { use, useFolder } from '../support/use.ts'

const folder = await useFolder('example')
const ports = { PORT: String(await freePort()), FRONT_PORT: String(await freePort()) }
const demo = await startDemo(folder, ports)
await use({
  stop: () => {
    demo.process.kill('SIGTERM')
    return demo.ended
  },
})

/** What a reader types into a terminal: the blocks of the worked example. */
async function readExample(): Promise<string[]> {
  const guide = await readFile(resolve(import.meta.dirname, '../../docs/network.md'), 'utf8')
  return [...guide.matchAll(/^```sh example\n(.*?)^```$/gms)].map(([, text = '']) => text)
}

/** The environment of a terminal in the folder of the demo, where `npx wp-frames` runs this program. */
async function openTerminal(): Promise<NodeJS.ProcessEnv> {
  await untilRunning(demo)
  const [, url = ''] = /export DATABASE_URL='([^']+)'/.exec(demo.output()) ?? []
  const programs = join(folder, 'bin')
  await mkdir(programs)
  const command = [process.execPath, ...(await programArgs('src/main'))]
  const quoted = command.map((part) => `'${part}'`).join(' ')
  await writeFile(join(programs, 'npx'), `#!/bin/sh\nshift\nexec ${quoted} "$@"\n`)
  await chmod(join(programs, 'npx'), 0o755)
  return { PATH: `${programs}:${process.env.PATH}`, DATABASE_URL: url, LOG_LEVEL: 'silent' }
}

it('the worked example of the guide works on the demo as it is printed', {
  timeout: 180_000,
}, async () => {
  const env = await openTerminal()
  const outputs: string[] = []
  for (const block of await readExample())
    outputs.push((await promisify(execFile)('sh', ['-ec', block], { cwd: folder, env })).stdout)
  const [init, apply, restore] = outputs
  expect(init).toContain('0 steps on 0 sites')
  expect(apply).toContain('+ 2 frames created')
  expect(apply).toContain('+<p><a href="/imprint">Imprint</a></p>')
  expect(restore).toMatch(/frame footer-note was changed by /)
  expect(restore).toContain('1 step on 1 site, 1 without changes')
})
