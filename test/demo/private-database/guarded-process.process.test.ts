import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type GuardOptions, startGuarded } from '../../../demo/private-database/guarded-process.ts'
import { eventually } from '../../support/eventually.ts'
import { isAlive } from './is-alive.ts'

describe('a guarded process', () => {
  let folder: string
  const output = (): string => readFileSync(join(folder, 'output'), 'utf8')
  const start = (script: string, options: Omit<GuardOptions, 'output'> = {}) => {
    const descriptor = openSync(join(folder, 'output'), 'w')
    const process = startGuarded(['sh', '-c', script], { ...options, output: descriptor })
    closeSync(descriptor)
    return process
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'guarded-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('returns the exit code and the output of a command that ends by itself', async () => {
    expect(await start('echo out; echo err >&2; exit 3').exited).toBe(3)
    expect(output()).toBe('out\nerr\n')
  })

  it('is asked to end before it is killed', async () => {
    const guarded = start('trap "sleep 0.2; echo bye; exit 0" TERM; echo up; while :; do :; done')
    await eventually(() => expect(output()).toBe('up\n'))
    await guarded.stop()
    await guarded.stop()
    expect(output()).toBe('up\nbye\n')
  })

  it('is killed if it does not end in time', async () => {
    const guarded = start('trap "" TERM; echo $$; while :; do sleep 0.1; done', { grace: 0.3 })
    await eventually(() => expect(output()).toMatch(/\n/))
    await guarded.stop()
    expect(await guarded.exited).toBeNull()
    await eventually(() => expect(isAlive(Number(output()))).toBe(false))
  })

  it('kills the processes that the command started', async () => {
    const guarded = start(
      'trap "" TERM; (while :; do sleep 0.1; done) & echo $!; trap - TERM; wait',
    )
    await eventually(() => expect(output()).toMatch(/\n/))
    await guarded.stop()
    await eventually(() => expect(isAlive(Number(output()))).toBe(false))
  })

  it('runs a given command to end the process', async () => {
    const guarded = start('trap "echo asked; exit 0" USR1; echo up; while :; do :; done', {
      stop: 'kill -USR1 "$child"',
    })
    await eventually(() => expect(output()).toBe('up\n'))
    await guarded.stop()
    expect(output()).toBe('up\nasked\n')
  })
})
