import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findOwner, lockDirectory } from '../../../demo/private-database/directory-lock.ts'

describe('the lock of a data directory', () => {
  let folder: string
  let directory: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lock-'))
    directory = join(folder, 'database')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is owned by one process at a time, and names it', () => {
    expect(findOwner(directory)).toBeUndefined()
    const unlock = lockDirectory(directory)
    expect(findOwner(directory)).toBe(process.pid)
    expect(() => lockDirectory(directory)).toThrow(`in use by process ${process.pid}`)
    unlock()
    expect(findOwner(directory)).toBeUndefined()
    lockDirectory(directory)()
  })

  // Process 1 runs, but its start time is not the one in the lock.
  it.each(['999999999 17', '1 17', 'nonsense'])(
    'replaces the lock of a process that has ended: %s',
    (identity) => {
      symlinkSync(identity, `${directory}.lock`)
      expect(findOwner(directory)).toBeUndefined()
      const unlock = lockDirectory(directory)
      expect(findOwner(directory)).toBe(process.pid)
      expect(readdirSync(folder)).toEqual(['database.lock'])
      unlock()
      expect(existsSync(`${directory}.lock`)).toBe(false)
    },
  )

  it('is replaced if another process ended while it replaced it', () => {
    for (const lock of ['database.lock', 'database.lock.left', 'database.lock.left.left'])
      symlinkSync('999999999 17', join(folder, lock))
    const unlock = lockDirectory(directory)
    expect(findOwner(directory)).toBe(process.pid)
    expect(readdirSync(folder)).toEqual(['database.lock'])
    unlock()
  })

  it('is released only by its owner', () => {
    const unlock = lockDirectory(directory)
    rmSync(`${directory}.lock`)
    symlinkSync('1 17', `${directory}.lock`)
    unlock()
    expect(lstatSync(`${directory}.lock`).isSymbolicLink()).toBe(true)
  })
})
