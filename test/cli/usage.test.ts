import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../support/cli.ts'

describe('wp-frames', () => {
  it('prints its version and its commands', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(await runCommand(['--version'], {})).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: '',
    })
    const { code, stdout } = await runCommand(['--help'], {})
    expect(code).toBe(0)
    for (const command of [
      'serve',
      'migrate',
      'token',
      'sites',
      'frames',
      'menus',
      'init',
      'doctor',
      'work',
    ])
      expect(stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'))
  })

  it.each([[['nothing']], [['serve', 'nothing']], [['--nothing']], [['sites', 'x']], [['frames']]])(
    'exits with 2 for wrong usage: %j',
    async (args) => {
      const { code, stdout, stderr } = await runCommand(args, {})
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).not.toBe('')
    },
  )
})
