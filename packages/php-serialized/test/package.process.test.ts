import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installedPackage, run } from '../../../test/support/installed-package.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const tool = (name: string): string => join(ROOT, 'test/packages/node_modules/.bin', name)

const readme = readFileSync(join(ROOT, 'packages/php-serialized/README.md'), 'utf8')
/** The first block of the README in a language. */
const block = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(readme)?.[1] ?? ''

const installed = await installedPackage('packages/php-serialized')

/** Writes a file into the empty project and runs it with Node.js. */
async function runFile(name: string, text: string): Promise<string> {
  writeFileSync(join(installed.project, name), text)
  return run(installed.project, process.execPath, [name])
}

describe('the installed package', () => {
  it('does what its README shows', async () => {
    expect(await runFile('example.mjs', block('js'))).toBe(block('text'))
  })

  it('is required by a CommonJS module', async () => {
    const text = block('js').replace(/^import (.*) from (.*)$/m, 'const $1 = require($2)')
    expect(await runFile('example.cjs', text)).toBe(block('text'))
  })

  it('exports what its README lists, besides its two classes', async () => {
    const text = `
      import * as names from '@wp-frames/php-serialized'
      console.log(Object.keys(names).join(' '))`
    const exported = (await runFile('names.mjs', text)).trim().split(' ')
    const listed = [...readme.matchAll(/^\| `(\w+)\(/gm)].map(([, name = '']) => name)
    expect(exported.sort()).toEqual([...listed, 'PhpObject', 'SerializedError'].sort())
  })

  it('has types that resolve as its code does', async () => {
    // All versions of Node.js that the package supports can `require` ES modules.
    const options = ['--profile', 'node16', '--ignore-rules', 'cjs-resolves-to-esm']
    await run(ROOT, tool('attw'), [installed.tarball, ...options])
    expect(await run(ROOT, tool('publint'), ['run', installed.tarball, '--strict'])).toContain(
      'All good!',
    )
  })

  it('contains the code with its types, and nothing else', async () => {
    const listed = (await run(ROOT, 'tar', ['-tzf', installed.tarball])).trim().split('\n')
    const own = /^package\/(LICENSE|README\.md|package\.json|dist\/[a-z-]+\.(js|d\.ts))$/
    expect(listed.filter((name) => !own.test(name))).toEqual([])
    expect(listed).toContain('package/dist/index.js')
  })
})
