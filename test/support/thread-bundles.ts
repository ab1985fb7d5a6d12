import { readdirSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'esbuild'
import type { Plugin } from 'vitest/config'

const ROOT = resolve(import.meta.dirname, '../..')
/** Of this run, whose main process bundles the modules and transforms the tests. */
const FOLDER = join(ROOT, '.data/test', String(process.pid), 'threads')

/**
 * Bundles the modules of threads, once in a run: Node.js cannot load TypeScript in a thread, and a loader takes half a second in each.
 * The packages stay where they are. Removes the bundles after the run.
 */
export async function setup(): Promise<() => void> {
  const sources = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('-thread.ts'))
      .map((name) => join(ROOT, folder, name)),
  )
  await build({
    entryPoints: Object.fromEntries(sources.map((path) => [basename(path, '.ts'), path])),
    outdir: FOLDER,
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'warning',
  })
  return () => rmSync(FOLDER, { recursive: true, force: true })
}

/** Takes the bundles in tests, where the product takes the module beside its own. */
export const threadBundles: Plugin = {
  name: 'thread-bundles',
  enforce: 'pre',
  transform: (code) =>
    code.includes('threadModule(')
      ? code.replaceAll(
          /threadModule\('([\w-]+)', import\.meta\.url\)/g,
          (_, name) => `new URL(${JSON.stringify(`file://${FOLDER}/${name}.js`)})`,
        )
      : undefined,
}
