import { describe, expect, it } from 'vitest'
import { runCommand } from '../support/cli.ts'

/**
 * Somebody writes credentials into an address on the command line, and sends the error to others.
 * Right: OWASP Logging Cheat Sheet, "Data to exclude": no message repeats a password or a key.
 */
describe('credentials in arguments', () => {
  it.each([
    ['copies', 'move', '--to', 's3://key:hidden@bucket'],
    ['copies', 'move', '--to', 's3://key:hid/hidden+hidden=@bucket/live'],
    ['copies', 'move', '--to', "s3://key:hid'hidden@bucket"],
    ['copies', 'move', '--to', 's3://bucket?endpoint=https://key:hidden@s3.example.net'],
    ['copies', 'move', '--to', 's3://bucket?endpoint=https%3A%2F%2Fkey%3Ahidden%40s3.example.net'],
    ['copies', 'delete', '--at', 's3://key:hidden@bucket'],
    ['login', 'ftp://key:hidden@example.net'],
    ['compare', 'http://key:hidden@example.net'],
    ['--url', 'http://key:hidden@example.net', 'sites'],
  ])('%s %s %s', async (...args) => {
    const { code, stderr, stdout } = await runCommand(args, {})
    expect(code).not.toBe(0)
    expect(stderr + stdout).not.toContain('hidden')
  })

  it('the rest of the argument is named', async () => {
    const { stderr } = await runCommand(['copies', 'move', '--to', 's3://key:hidden@bucket'], {})
    expect(stderr).toContain("argument 's3://…@bucket' is invalid. It must not contain credentials")
  })
})
