import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { sha256Hex } from '../../../src/host/hash.ts'

/** The files of zongji that call, or contain, what `BinlogReader` replaces. */
const CALLERS = ['index.js', 'lib/binlog_event.js']

/*
 * If this fails, the package has changed: compare `BinlogReader` with these files, run the process tests of the feed on MariaDB and MySQL, and
 * store the new digest.
 */
it('zongji is the version whose private methods the reader replaces', () => {
  const folder = new URL('.', import.meta.resolve('@vlasky/zongji'))
  const texts = CALLERS.map((name) => readFileSync(fileURLToPath(new URL(name, folder)), 'utf8'))
  expect(sha256Hex(texts.join('\n'))).toBe(
    '0c57f48c3b598a1dcdba5e70f10f814def010887534c2378d5b8af058decd996',
  )
})
