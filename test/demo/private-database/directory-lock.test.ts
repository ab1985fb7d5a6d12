import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findHolder, lockDirectory } from '../../../demo/private-database/directory-lock.ts'

describe('the lock of a data directory', () => {
  let folder: string
  let directory: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lock-'))
    directory = join(folder, 'database')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is held by one at a time, who is named', () => {
    expect(findHolder(directory)).toBeUndefined()
    const unlock = lockDirectory(directory)
    expect(findHolder(directory)).toBe(process.pid)
    expect(() => lockDirectory(directory)).toThrow(`in use by process ${process.pid}`)
    unlock()
    expect(findHolder(directory)).toBeUndefined()
    lockDirectory(directory)()
  })

  // Process 1 is alive; it did not start at the moment the lock tells of.
  it.each(['999999999 17', '1 17', 'nonsense'])('is taken over from the dead: %s', (identity) => {
    symlinkSync(identity, `${directory}.lock`)
    expect(findHolder(directory)).toBeUndefined()
    const unlock = lockDirectory(directory)
    expect(findHolder(directory)).toBe(process.pid)
    expect(readdirSync(folder)).toEqual(['database.lock'])
    unlock()
    expect(existsSync(`${directory}.lock`)).toBe(false)
  })

  it('is taken over where another died as it took it over', () => {
    for (const lock of ['database.lock', 'database.lock.left', 'database.lock.left.left'])
      symlinkSync('999999999 17', join(folder, lock))
    const unlock = lockDirectory(directory)
    expect(findHolder(directory)).toBe(process.pid)
    expect(readdirSync(folder)).toEqual(['database.lock'])
    unlock()
  })

  it('is given back only by who holds it', () => {
    const unlock = lockDirectory(directory)
    rmSync(`${directory}.lock`)
    symlinkSync('1 17', `${directory}.lock`)
    unlock()
    expect(lstatSync(`${directory}.lock`).isSymbolicLink()).toBe(true)
  })
})
