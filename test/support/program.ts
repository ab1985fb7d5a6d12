import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inject } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
/** What the program reads beside its code. */
const LINKS = {
  'package.json': 'package.json',
  node_modules: 'node_modules',
  docs: 'docs',
  sql: 'sql',
  'src/viewer': 'node_modules/@fastify/swagger-ui/static',
  'demo/network.sql': 'demo/network.sql',
  'demo/frames': 'demo/frames',
}

/**
 * The arguments for Node.js that run a compiled entry of the program: it starts in a third of the time that the sources take.
 * The first test of a run that asks compiles them; tests in other processes wait for it.
 * @param entry from the root of the project, without the suffix: `src/main`
 */
export async function programArgs(entry: 'src/main' | 'demo/main'): Promise<string[]> {
  const folder = join(inject('runFolder'), 'program')
  if (!existsSync(folder)) await compileOnce(folder)
  return ['--enable-source-maps', join(folder, `${entry}.js`)]
}

async function compileOnce(folder: string): Promise<void> {
  const unfinished = `${folder}.new`
  try {
    mkdirSync(unfinished)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    while (!existsSync(folder)) await sleep(20)
    return
  }
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  const config = join(ROOT, 'test/tsconfig.program.json')
  await promisify(execFile)(tsc, ['-p', config, '--outDir', unfinished])
  for (const [name, target] of Object.entries(LINKS))
    symlinkSync(join(ROOT, target), join(unfinished, name))
  renameSync(unfinished, folder)
}
