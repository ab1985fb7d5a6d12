import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installedPackage, run } from '../support/installed-package.ts'

const { project } = await installedPackage('.')

describe('the installed service', () => {
  it('has the program', async () => {
    const program = join(project, 'node_modules/.bin/wp-frames')
    expect(await run(project, program, ['--help'])).toContain('wp-frames')
  })

  it('has no modules for other programs', async () => {
    writeFileSync(join(project, 'main.mjs'), `import 'wp-frames'`)
    const imported = run(project, process.execPath, ['main.mjs'])
    await expect(imported).rejects.toThrow('No "exports" main defined')
  })
})
