import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api/endpoints.ts'
import { issueTokenFor } from '../support/api.ts'
import { installedPackage, run } from '../support/installed-package.ts'
import { useNetwork } from '../support/network.ts'
import { startServeProcesses } from '../support/serve-processes.ts'
import { use } from '../support/use.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const tool = (name: string): string => join(ROOT, 'test/packages/node_modules/.bin', name)

const installed = await installedPackage('packages/client')

/** Writes a file into the empty project and runs it with Node.js. */
async function runFile(name: string, text: string, env: Record<string, string> = {}) {
  writeFileSync(join(installed.project, name), text)
  return run(installed.project, process.execPath, [name], env)
}

describe('the types of the client', () => {
  it('resolve as the code does', async () => {
    // All versions of Node.js that the package supports can `require` ES modules.
    const options = ['--profile', 'node16', '--ignore-rules', 'cjs-resolves-to-esm']
    await run(ROOT, tool('attw'), [installed.tarball, ...options])
  })

  it('are published correctly', async () => {
    expect(await run(ROOT, tool('publint'), ['run', installed.tarball, '--strict'])).toContain(
      'All good!',
    )
  })

  const PROGRAM = `
    import { createClient, type Input, isServiceError } from '@wp-frames/client'
    const client = createClient({ url: 'http://127.0.0.1', token: 'op_' })
    export const slugs = async (): Promise<string[]> =>
      (await client.listFrames({ site_id: 2 })).frames.map(({ slug }) => slug)
    export const holder = (error: unknown): string | undefined =>
      isServiceError(error, 'slug_taken', 'invalid_slug')
        ? error.code === 'slug_taken' ? error.fields.id : error.fields.hint
        : undefined
    // @ts-expect-error: the endpoint needs a slug
    export const wrong = () => client.createFrame({ site_id: 2, body: { html: '<i></i>' } })
    // @ts-expect-error: another name of html, which the service accepts, too
    export const former = () => client.replaceFrame({ site_id: 2, ref: 'a', body: { content: '' } })
    type Rename = NonNullable<Input<'renameFrame'>['body']>
    export const fields: Record<keyof Rename, true> = { slug: true, dry_run: true, bake: true }
    // @ts-expect-error: the state is misspelt
    export const onSites = () => client.forEachSite(async () => 1, { states: ['achived'] })
  `
  const COMPILERS = [
    ['TypeScript 7', 'node_modules/typescript/bin/tsc'],
    ['TypeScript 5', 'tools/client/node_modules/typescript/bin/tsc'],
  ] as const
  const timeout = 180_000
  it.each(COMPILERS)(
    'are understood by %s, also in a CommonJS module',
    { timeout },
    async (_, compiler) => {
      const { project } = installed
      const options = { module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'], types: [] }
      const config = {
        compilerOptions: { ...options, strict: true, noEmit: true, skipLibCheck: false },
        files: ['typed.mts', 'typed.cts'],
      }
      for (const file of config.files) writeFileSync(join(project, file), PROGRAM)
      writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config))
      const args = [join(ROOT, compiler), '-p', '.']
      expect(await run(project, process.execPath, args)).toBe('')
    },
  )
})

describe('the package of the client', () => {
  it('contains the client with its types, and nothing else', async () => {
    const listed = (await run(ROOT, 'tar', ['-tzf', installed.tarball])).trim().split('\n')
    const own = /^package\/(LICENSE|README\.md|package\.json|dist\/[a-z-]+\.(js|d\.ts))$/
    expect(listed.filter((name) => !own.test(name))).toEqual([])
    expect(listed).toContain('package/dist/index.js')
  })

  it('is small, also when it is installed', async () => {
    const listed = (await run(ROOT, 'tar', ['-tzf', installed.tarball])).trim().split('\n')
    expect(listed.length).toBeLessThan(30)
    expect(statSync(installed.tarball).size).toBeLessThan(70_000)
    const modules = join(installed.project, 'node_modules')
    const sizes = readdirSync(modules, { recursive: true, encoding: 'utf8' }).map(
      (name) => statSync(join(modules, name)).size,
    )
    // Two thirds are the types of all endpoints, with their descriptions.
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(1_200_000)
  })
})

describe('the installed client', async () => {
  const network = await useNetwork()
  const service = await use(
    startServeProcesses(1, network.url, { TABLE_PREFIX: network.globals.basePrefix }),
  )
  const env = { URL_OF_API: service.urls[0] ?? '', TOKEN: await issueTokenFor(network, 'alice') }

  const USE = `
    const client = createClient({ url: process.env.URL_OF_API, token: process.env.TOKEN })
    client.listFrames({ site_id: 2 }).then(({ site_id }) => console.log('site', site_id))`

  it('is imported by an ES module', async () => {
    const text = `import { createClient } from '@wp-frames/client'\n${USE}`
    expect(await runFile('use.mjs', text, env)).toBe('site 2\n')
  })

  it('is required by a CommonJS module', async () => {
    const text = `const { createClient } = require('@wp-frames/client')\n${USE}`
    expect(await runFile('use.cjs', text, env)).toBe('site 2\n')
  })

  it('lets Node.js print an error that nobody catches with its message and the lines of the script', async () => {
    const text = `
      import { createClient } from '@wp-frames/client'
      const client = createClient({ url: process.env.URL_OF_API, token: process.env.TOKEN })
      await client.getFrame({ site_id: 2, ref: 'missing' })`
    const failed = await runFile('uncaught.mjs', text, env).catch(({ message }) => message)
    const [, printed] = /^(ServiceError .*?)\n\n/ms.exec(failed) ?? []
    const script = pathToFileURL(join(installed.project, 'uncaught.mjs'))
    const guide = readFileSync(join(ROOT, 'docs/client.md'), 'utf8')
    const [, shown = ''] = /^```text\n(ServiceError .*?)^```$/ms.exec(guide) ?? []
    expect(printed).toBe(shown.trim().replace(/file:.*$/, `${script}:4:7`))
  })

  it('has a function for each endpoint', async () => {
    const text = `
      import { createClient } from '@wp-frames/client'
      const client = createClient({ url: 'http://127.0.0.1', token: 'op_' })
      console.log(Object.keys(client).filter((name) => typeof client[name] === 'function').join())`
    const functions = (await runFile('functions.mjs', text)).trim().split(',')
    const names = endpoints.filter(({ response }) => response !== undefined).map(({ name }) => name)
    expect(functions).toEqual(expect.arrayContaining(names))
    // The other functions take several calls, and none of them hides an endpoint.
    expect(functions.filter((name) => !names.includes(name)).sort()).toEqual([
      'etagOf',
      'followChanges',
      'forEachSite',
      'pages',
      'responseOf',
      'sites',
      'update',
      'waitForPlan',
    ])
  })
})
