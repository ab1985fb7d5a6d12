import { execFile } from 'node:child_process'
import { readdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { onceInRun } from './once-in-run.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** What the program reads beside its code. */
const LINKS: Readonly<Record<string, string>> = {
  'package.json': 'package.json',
  node_modules: 'node_modules',
  docs: 'docs',
  sql: 'sql',
  'src/docs': 'dist/docs',
  'demo/frames': 'demo/frames',
  ...Object.fromEntries(
    readdirSync(join(ROOT, 'demo/network'))
      .filter((name) => !name.endsWith('.ts'))
      .map((name) => [`demo/network/${name}`, `demo/network/${name}`]),
  ),
}

/**
 * The arguments for Node.js that run a compiled entry of the program: it starts in a third of the time that the sources take.
 * The first test of a run that asks compiles them; tests in other processes wait for it.
 * @param entry from the root of the project, without the suffix: `src/main`
 */
export async function programArgs(entry: 'src/main' | 'demo/main'): Promise<string[]> {
  const folder = await onceInRun('program', compile)
  return ['--enable-source-maps', join(folder, `${entry}.js`)]
}

async function compile(folder: string): Promise<void> {
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  const config = join(ROOT, 'test/tsconfig.program.json')
  const packages = ['client', 'migration', 'php-serialized', 'store-s3']
  const run = promisify(execFile)
  await Promise.all([
    run(tsc, ['-p', config, '--outDir', folder]),
    ...packages.map((name) =>
      run(tsc, [
        '-p',
        join(ROOT, 'packages', name, 'tsconfig.build.json'),
        '--outDir',
        join(folder, 'src', name),
      ]),
    ),
  ])
  // Where the built program has them.
  symlinkSync('src', join(folder, 'dist'))
  for (const [name, target] of Object.entries(LINKS))
    symlinkSync(join(ROOT, target), join(folder, name))
}
