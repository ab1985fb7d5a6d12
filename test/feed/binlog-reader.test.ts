import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { sha256Hex } from '../../src/hash.ts'

/** The files of zongji that call, or contain, what `BinlogReader` replaces. */
const CALLERS = [
  'index.js',
  'lib/sequence/binlog.js',
  'lib/packet/binlog.js',
  'lib/binlog_event.js',
]

/*
 * If this fails, the package has changed: compare `BinlogReader` with these files, run the process tests of the feed on MariaDB and MySQL, and
 * store the new digest.
 */
it('zongji is the version whose private methods the reader replaces', () => {
  const folder = new URL('.', import.meta.resolve('@vlasky/zongji'))
  const texts = CALLERS.map((name) => readFileSync(fileURLToPath(new URL(name, folder)), 'utf8'))
  expect(sha256Hex(texts.join('\n'))).toBe(
    '9a074e6bbbf8fdd350373c4f9c6abfba26be0dde375c61bb002a9777825859d4',
  )
})
