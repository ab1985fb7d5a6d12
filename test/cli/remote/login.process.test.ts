import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { useApi } from '../../support/api.ts'
import { answerOnTerminal } from '../../support/cli-process.ts'
import { freePort } from '../../support/free-port.ts'
import { listen } from '../../support/listen.ts'
import { useRemoteCli } from '../../support/remote-cli.ts'
import { use } from '../../support/use.ts'

const { api } = await useApi()
const token = await api.token('admin')
const cli = await useRemoteCli()

/** A server that keeps what it was sent, and redirects to the API. */
const redirected: IncomingMessage[] = []
const redirecting = await use(
  listen((request, response) => {
    redirected.push(request)
    response.writeHead(308, { Location: `${api.url}${request.url}` }).end()
  }),
)

describe('login', () => {
  it('checks the token, and stores it so that only the owner can read it', async () => {
    const wrong = await cli.login(`op_${'x'.repeat(64)}`, api.url)
    expect([wrong.code, wrong.stdout]).toEqual([1, ''])
    expect(wrong.stderr).toContain('wp-frames login')
    await expect(stat(cli.file)).rejects.toThrow('ENOENT')
    const { code, stdout, stderr } = await cli.login(token, `${api.url}/`, '--name', 'staging')
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toBe(
      `Logged in at ${api.url} as "admin". The token is in ${cli.file}. Use it with --env staging, or WP_FRAMES_ENV=staging.\n`,
    )
    expect((await stat(cli.file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(cli.file, 'utf8'))).toEqual({
      logins: { staging: { url: api.url, token, insecure: false } },
    })
  })

  it('asks for the token on a terminal, and does not show it', async () => {
    const { code, output } = await answerOnTerminal(token, ['login', api.url], cli.env, 'Token for')
    expect([code, output]).toEqual([0, expect.stringContaining('Logged in at')])
    expect(output).not.toContain(token.slice(3))
  })

  it('lists logins without their tokens, and removes them', async () => {
    const { stdout } = await cli.run('login', '--list')
    expect(stdout.split('\n').map((line) => line.split(/ +/))).toEqual([
      ['name', 'url'],
      ['default', api.url],
      ['staging', api.url],
      [''],
    ])
    await cli.login(token, api.url, '--name', 'other')
    expect((await cli.run('logout', 'other')).stderr).toContain('Its token is still valid')
    const again = await cli.run('logout', 'stagin')
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'There is no login "stagin". Did you mean "staging"? There are: default, staging.',
      ),
    })
  })

  it('refuses a file that others can read, and a damaged one', async () => {
    const text = await readFile(cli.file, 'utf8')
    await chmod(cli.file, 0o644)
    const open = await cli.run('login', '--list')
    expect([open.code, open.stderr]).toEqual([
      1,
      expect.stringContaining(`chmod 600 '${cli.file}'`),
    ])
    await chmod(cli.file, 0o600)
    await writeFile(cli.file, '{')
    expect((await cli.run('login', '--list')).stderr).toContain('is damaged')
    await writeFile(cli.file, text)
  })

  it.each(['http://api.example', 'http://127.0.0.1.example', 'http://192.0.2.1:8080'])(
    'sends no token without encryption to another machine: %s',
    async (url) => {
      const { code, stderr } = await cli.login(token, url)
      expect([code, stderr]).toEqual([1, expect.stringContaining('--insecure')])
    },
  )

  it.each([
    ['ftp://api.example'],
    ['https://a:b@api.example'],
    ['https://api.example/?x=1'],
    ['x'],
  ])('is wrong usage: %s', async (url) => {
    expect((await cli.run('login', url)).code).toBe(2)
  })

  it('does not send the token to where a redirect leads', async () => {
    const url = `http://127.0.0.1:${redirecting.port}`
    const { code, stderr } = await cli.login(token, url)
    expect(code).toBe(1)
    expect(stderr).toContain(`redirects to ${api.url}/me. The token was not sent there.`)
    expect(redirected).toHaveLength(1)
  })

  it.each(['<html>', '{"id":1}', '[]'])(
    'checks that the answer is one of the API: %s',
    async (text) => {
      const other = await listen((_request, response) => void response.end(text))
      const { code, stderr } = await cli.login(token, `http://127.0.0.1:${other.port}`)
      await other.close()
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('The response 200 is not one of wp-frames.'),
      ])
    },
  )

  it('says that no service answers', async () => {
    const { code, stderr } = await cli.login(token, `http://127.0.0.1:${await freePort()}`)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^No response to GET .*\/me: .*ECONNREFUSED.*whether the service runs/),
    ])
  })
})
