import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { findOwner, lockDirectory } from '../../../demo/private-database/directory-lock.ts'

/** Actions of another process between two steps of this one. */
const meanwhile = vi.hoisted(() => ({ afterReading: () => {}, afterStep: () => {} }))

vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>()
  const step =
    <A extends unknown[], R>(work: (...args: A) => R) =>
    (...args: A): R => {
      const result = work(...args)
      meanwhile.afterStep()
      return result
    }
  return {
    ...real,
    readlinkSync: (path: string) => {
      const target = real.readlinkSync(path)
      meanwhile.afterReading()
      return target
    },
    renameSync: step(real.renameSync),
    symlinkSync: step(real.symlinkSync),
    unlinkSync: step(real.unlinkSync),
  }
})

it('a process never takes a lock from a process that has just replaced a stale one', () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'lock-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  const directory = join(folder, 'database')
  const lock = `${directory}.lock`
  // A running process: the parent of this one.
  const fields = fs.readFileSync(`/proc/${process.ppid}/stat`, 'utf8').replace(/.*\) /, '')
  const living = `${process.ppid} ${fields.split(' ')[19]}`
  fs.symlinkSync('999999999 17', lock)
  const seen: (number | undefined)[] = []
  meanwhile.afterReading = () => {
    meanwhile.afterReading = () => {}
    fs.rmSync(lock)
    fs.symlinkSync(living, lock)
    meanwhile.afterStep = () => seen.push(findOwner(directory))
  }
  expect(() => lockDirectory(directory)).toThrow(`in use by process ${process.ppid}`)
  expect(new Set(seen)).toEqual(new Set([process.ppid]))
  expect(fs.readdirSync(folder)).toEqual(['database.lock'])
})
