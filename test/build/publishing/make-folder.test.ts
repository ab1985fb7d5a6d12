import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../../src/build/publishing/make-folder.ts'
import { useFolder } from '../../support/use.ts'

const base = await useFolder('make')

describe('makeFolder', () => {
  it('creates a folder and those above it, and leaves an existing one', () => {
    const path = join(base, 'a/b/c')
    makeFolder(path)
    makeFolder(path)
    expect(existsSync(path)).toBe(true)
  })

  it('rejects a file, and a path below one', () => {
    const file = join(base, 'a.txt')
    writeFileSync(file, '')
    expect(() => makeFolder(file)).toThrow('EEXIST')
    expect(() => makeFolder(join(file, 'below'))).toThrow('ENOTDIR')
  })

  it.runIf(existsSync('/proc'))('ends where the system creates no folders', () => {
    expect(() => makeFolder('/proc/none/below')).toThrow(/ENOENT|EACCES/)
  })
})
