import { join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '../..')

/** The folder of this build: a reader may run `npm run build` while `npm start` builds in the background. */
export const WORK = join(ROOT, '.data', `docs-${process.pid}`)
/** What VitePress reads, and where it writes. */
export const SOURCE = join(WORK, 'source')
export const BUILT = join(WORK, 'built')
