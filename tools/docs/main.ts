/**
 * Builds the pages of `/docs` into `dist/docs`: `npm run build:docs`. The guides are `docs/*.md`, the pages of the commands and the endpoints come
 * from the program, and VitePress makes a site of them.
 */
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'vitepress'
import { createProgram } from '../../src/cli/run-cli.ts'
import { TIMINGS } from '../../src/host/timings.ts'
import { API_BASE } from './base.ts'
import { commandPages, commandTable } from './command-pages.ts'
import { linkFromBelow, linkToCommandPages, splitCommandsGuide } from './commands-guide.ts'
import { endpointsPage } from './endpoints-page.ts'
import { BUILT, ROOT, SOURCE, WORK } from './folders.ts'

const TARGET = join(ROOT, 'dist/docs')

const started = performance.now()
// Also after a failure.
process.once('exit', () => rmSync(WORK, { recursive: true, force: true }))
mkdirSync(join(SOURCE, 'commands'), { recursive: true })
await writeGuides()
copyFiles()
await build(import.meta.dirname)
for (const name of readdirSync(BUILT, { recursive: true, encoding: 'utf8' }))
  if (name.endsWith('.html')) moveScriptsToFiles(join(BUILT, name))
replaceTarget()
const seconds = ((performance.now() - started) / 1000).toFixed(1)
process.stdout.write(`docs: built in ${seconds} s\n`)

/** Renames folders, so that a running service never has half of the pages. */
function replaceTarget(): void {
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  if (existsSync(TARGET)) renameSync(TARGET, join(WORK, 'former'))
  renameSync(BUILT, TARGET)
}

async function writeGuides(): Promise<void> {
  const unused = (): never => {
    throw new Error('No command runs while the documentation is built.')
  }
  const program = await createProgram({
    readConfig: unused,
    openServices: unused,
    timings: TIMINGS,
  })
  const { general, notes } = splitCommandsGuide(readGuide('commands.md'))
  const pageNames = new Set(commandPages(program, new Map()).keys())
  const linked = (text: string): string => linkToCommandPages(text, pageNames)
  for (const [name, text] of notes) notes.set(name, linkFromBelow(linked(text)))
  for (const [name, text] of commandPages(program, notes))
    writeFileSync(join(SOURCE, 'commands', `${name}.md`), text)
  writeFileSync(join(SOURCE, 'endpoints.md'), endpointsPage())
  const commands = general.replace('<!-- commands -->', commandTable(program))
  for (const name of readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))) {
    const text = name === 'commands.md' ? commands : readGuide(name)
    // Without the marks of the tables that programs write.
    writeFileSync(join(SOURCE, name), linked(text.replace(/^<!-- \/?[a-z]+ -->\n/gm, '')))
  }
}

function readGuide(name: string): string {
  return readFileSync(join(ROOT, 'docs', name), 'utf8')
}

/** Pictures of guides, and what is served as it is: scripts, the reference, the page at `/`, and Swagger UI. */
function copyFiles(): void {
  const into = join(SOURCE, 'public')
  cpSync(join(ROOT, 'docs/assets'), join(SOURCE, 'assets'), { recursive: true })
  cpSync(join(import.meta.dirname, 'public'), into, { recursive: true })
  cpSync(join(ROOT, 'docs/assets/icon.svg'), join(into, 'icon.svg'))
  cpSync(join(ROOT, 'docs/scripts'), join(into, 'scripts'), { recursive: true })
  // From the package of Fastify's maintainers: the same files, but without an install script that sends telemetry.
  const { resolve } = createRequire(import.meta.url)
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js'])
    cpSync(resolve(`@fastify/swagger-ui/static/${name}`), join(into, name))
}

/** VitePress writes scripts and two styles into its pages, which the Content-Security-Policy of `/docs` does not allow. */
function moveScriptsToFiles(page: string): void {
  const html = readFileSync(page, 'utf8')
    .replace(/<script([^>]*)>([^<]+)<\/script>/g, (_, attributes, script) => {
      const name = `assets/${createHash('sha256').update(script).digest('hex').slice(0, 12)}.js`
      writeFileSync(join(BUILT, name), script)
      return `<script${attributes} src="${API_BASE}/docs/${name}"></script>`
    })
    .replace(/(<[a-z][^<>]*) style="(?:position:relative|--vp-vh:0px);"/g, '$1')
  writeFileSync(page, html)
}
