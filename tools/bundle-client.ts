import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/** The client with all that it imports, as a minified script that sets `wpFrames`. Fails if it imports a module of Node.js. */
export async function bundleClient(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [resolve(import.meta.dirname, '../packages/client/src/index.ts')],
    bundle: true,
    minify: true,
    write: false,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    format: 'iife',
    globalName: 'wpFrames',
  })
  return outputFiles[0]?.text ?? ''
}

/** The sizes of a script in kilobytes, as it is and compressed with gzip. */
export function sizesOf(script: string): {
  readonly minified: number
  readonly compressed: number
} {
  return { minified: script.length / 1000, compressed: gzipSync(script).length / 1000 }
}
