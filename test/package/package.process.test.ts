import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { installedPackage, run } from '../support/installed-package.ts'

const { project } = await installedPackage('.')
const program = join(project, 'node_modules/.bin/wp-frames')

/** Lets a process find no package that only stores need, as where it is not installed. */
const HOOK = `export async function resolve(name, context, next) {
  if (name === 'aws4fetch') throw Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' })
  return next(name, context)
}`
const WITHOUT = `import { register } from 'node:module'
register('./hook.mjs', import.meta.url)`

describe('the installed service', () => {
  it('has the program', async () => {
    expect(await run(project, program, ['--help'])).toContain('wp-frames')
  })

  it('has no modules for other programs', async () => {
    writeFileSync(join(project, 'main.mjs'), `import 'wp-frames'`)
    const imported = run(project, process.execPath, ['main.mjs'])
    await expect(imported).rejects.toThrow('No "exports" main defined')
  })

  it('loads what stores need only if STATIC_TARGET names one, and says what to install', async () => {
    const doctor = (env: Readonly<Record<string, string>>) =>
      run(project, program, ['doctor'], { DATABASE_URL: 'mysql://a:b@127.0.0.1:9/c', ...env })
    writeFileSync(join(project, 'hook.mjs'), HOOK)
    writeFileSync(join(project, 'without.mjs'), WITHOUT)
    const without = { NODE_OPTIONS: `--import=${pathToFileURL(join(project, 'without.mjs'))}` }
    const store = {
      STATIC_TARGET: 's3://pages/live?endpoint=http://127.0.0.1:9',
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
    }
    const toFolder = doctor({ STATIC_DIR: join(project, 'static'), ...without })
    await expect(toFolder).rejects.toThrow('Checked 0 sites')
    await expect(doctor({ ...store, ...without })).rejects.toThrow('npm install aws4fetch@1')
    await expect(doctor(store)).rejects.toThrow('the store at http://127.0.0.1:9 cannot be reached')
  })
})
