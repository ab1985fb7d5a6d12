/**
 * Bundles `packages/console` into `dist/console`: `npm run build:console`. Prints what a browser loads at the first view, compressed, and fails if that exceeds
 * the limit.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Metafile, type Plugin } from 'esbuild'
import { markdownElements } from './markdown-elements.ts'

const ROOT = resolve(import.meta.dirname, '..')
const TARGET = join(ROOT, 'dist/console')
const MAX_FIRST_VIEW_KB = 40
const MAX_EDITOR_KB = 220

const common = {
  absWorkingDir: ROOT,
  bundle: true,
  minify: true,
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
} as const

/** A guide is its elements: the console shows the text of the documentation, and writes no HTML. */
const guides: Plugin = {
  name: 'guides',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.md$/ }, ({ path }) => ({
      contents: `export const elements = ${JSON.stringify(markdownElements(readFileSync(path, 'utf8')))}`,
    })),
}

rmSync(TARGET, { recursive: true, force: true })
const { metafile } = await build({
  ...common,
  entryPoints: [
    'packages/console/src/main.tsx',
    'packages/console/src/styles/main.css',
    'docs/assets/icon.svg',
  ],
  outdir: 'dist/console/assets',
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  format: 'esm',
  splitting: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.svg': 'copy' },
  metafile: true,
  plugins: [guides],
})
await build({
  ...common,
  entryPoints: ['packages/console/src/preview-frame.ts'],
  outdir: 'dist/console',
  format: 'iife',
})

const script = outputOf('packages/console/src/main.tsx', metafile)
const style = outputOf('packages/console/src/styles/main.css', metafile)
const icon = outputOf('docs/assets/icon.svg', metafile)
const html = readFileSync(join(ROOT, 'packages/console/src/index.html'), 'utf8')
  .replace('{script}', basename(script))
  .replace('{style}', basename(style))
  .replace('{icon}', basename(icon))
writeFileSync(join(TARGET, 'index.html'), html)

const first = [...withStaticImports(script, metafile), style, icon]
assertSize('at the first view', sizeOf(first, html), MAX_FIRST_VIEW_KB)
const editor = withStaticImports(
  outputOf('packages/console/src/editor/open-editor.ts', metafile),
  metafile,
)
const ofEditor = [...editor].filter((file) => !first.includes(file))
assertSize('for the editor', sizeOf(ofEditor), MAX_EDITOR_KB)

/** Kilobytes of files, compressed. */
function sizeOf(files: readonly string[], ...others: string[]): number {
  return (
    [...others, ...files.map((file) => readFileSync(join(ROOT, file)))]
      .map((content) => gzipSync(content).length)
      .reduce((sum, size) => sum + size, 0) / 1000
  )
}

function assertSize(what: string, kilobytes: number, most: number): void {
  process.stdout.write(
    `console: ${kilobytes.toFixed(1)} kB compressed ${what}, of at most ${most} kB\n`,
  )
  if (kilobytes > most) process.exitCode = 1
}

/** The file that was made from an entry point. */
function outputOf(entryPoint: string, { outputs }: Metafile): string {
  const [file] =
    Object.entries(outputs).find(
      ([name, output]) => output.entryPoint === entryPoint && !name.endsWith('.map'),
    ) ?? []
  if (file === undefined) throw new Error(`esbuild made nothing of ${entryPoint}.`)
  return file
}

/** A script and everything that it imports at once. */
function withStaticImports(script: string, { outputs }: Metafile): Set<string> {
  const found = new Set([script])
  for (const file of found)
    for (const { path, kind } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement') found.add(path)
  return found
}
