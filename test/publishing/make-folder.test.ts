import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeFolder, makeFolderSync } from '../../src/publishing/make-folder.ts'

const base = mkdtempSync(join(tmpdir(), 'wp-frames-make-'))
afterAll(() => rmSync(base, { recursive: true }))

describe.each([
  ['makeFolder', makeFolder],
  ['makeFolderSync', async (path: string) => makeFolderSync(path)],
])('%s', (name, make) => {
  it('creates a folder and those above it, and leaves an existing one', async () => {
    const path = join(base, name, 'a/b/c')
    await make(path)
    await make(path)
    expect(existsSync(path)).toBe(true)
  })

  it('rejects a file, and a path below one', async () => {
    const file = join(base, `${name}.txt`)
    writeFileSync(file, '')
    await expect(make(file)).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(make(join(file, 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it.runIf(existsSync('/proc'))('ends where the system creates no folders', async () => {
    await expect(make('/proc/none/below')).rejects.toThrow(/ENOENT|EACCES/)
  })
})
