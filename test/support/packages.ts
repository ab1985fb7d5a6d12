import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')

/** What the names of the packages and of the program are in tests: the sources. In the program they are what is built (`imports` in package.json). */
export const ALIASES = {
  '#client': resolve(ROOT, 'packages/client/src/index.ts'),
  '#migration': resolve(ROOT, 'packages/migration/src'),
  '#php-serialized': resolve(ROOT, 'packages/php-serialized/src/index.ts'),
  '#store-s3': resolve(ROOT, 'packages/store-s3/src/object-store.ts'),
  '#wp-frames': resolve(ROOT, 'src'),
}
