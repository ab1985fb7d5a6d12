import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../../../../test/support/cli.ts'
import { freePort } from '../../../../../test/support/free-port.ts'
import { listen } from '../../../../../test/support/listen.ts'
import { use } from '../../../../../test/support/use.ts'
import { useComparison } from '../../comparison.ts'

const { old, ours, env, folder, token, run } = await useComparison()

const compare = (...args: string[]) => runCommand(['compare', ...args], env)
const sides = ['--old', old.url, '--new', ours.url]

const servers = {
  html: await use(
    listen((_, response) => {
      response.setHeader('Content-Type', 'text/html').end('<title>Shop</title>')
    }),
  ),
  login: await use(
    listen((_, response) => {
      response.writeHead(302, { Location: 'https://net.test/wp-login.php' }).end()
    }),
  ),
  other: await use(
    listen((_, response) => {
      response.setHeader('Content-Type', 'application/json').end('{"name":"Shop"}')
    }),
  ),
  noRoute: await use(
    listen((_, response) => {
      response
        .writeHead(404, { 'Content-Type': 'application/json' })
        .end('{"code":"rest_no_route","message":"None.","data":{"status":404}}')
    }),
  ),
  broken: await use(
    listen((_, response) => {
      response.writeHead(500, { 'Content-Type': 'application/json' }).end('{}')
    }),
  ),
}
const at = (name: keyof typeof servers): string => `http://127.0.0.1:${servers[name].port}`

describe('compare refuses', () => {
  it.each([
    ['html', 'answers 200 with a page of HTML instead of JSON. Check the address in --old'],
    ['login', 'redirects to https://net.test/wp-login.php. The token was not sent there.'],
    ['other', 'answers 200 with something else than a list of frames.'],
    ['noRoute', 'has no route /frames.'],
    ['broken', 'answers 500. Look into its log'],
  ] as const)('an old endpoint that is none: %s', async (name, message) => {
    ours.reset()
    const { code, stdout, stderr } = await compare(
      '--old',
      at(name),
      '--new',
      ours.url,
      '--site',
      '2',
    )
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(message)])
    expect(stderr).not.toContain(token)
    expect(ours.requests.length).toBeLessThanOrEqual(1)
  })

  it('an old endpoint that does not answer', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const { code, stderr } = await compare('--old', url, '--new', ours.url, '--site', '2')
    expect([code, stderr]).toEqual([1, expect.stringContaining('The old endpoint does not answer')])
    expect(stderr).toContain('Check --old, and whether it runs.')
    const swapped = await compare('--old', old.url, '--new', url, '--site', '2')
    expect(swapped.stderr).toContain('Check --new, and whether it runs.')
  })

  it('tokens that are refused or missing', async () => {
    const wrong = `op_${'1'.repeat(64)}`
    const ofOld = await compare(...sides, '--site', '2', '--old-token', wrong)
    expect([ofOld.code, ofOld.stderr]).toEqual([
      1,
      expect.stringContaining('refuses the token (invalid_token). Check --old-token'),
    ])
    const ofOurs = await compare(...sides, '--site', '2', '--token', wrong)
    expect(ofOurs.stderr).toContain('wp-frames')
    expect(ofOurs.stderr).toContain('Check --token or WP_FRAMES_TOKEN')
    for (const { stderr } of [ofOld, ofOurs]) expect(stderr).not.toContain(wrong)
    const { WP_FRAMES_OLD_TOKEN: _, ...without } = env
    const none = await runCommand(['compare', ...sides, '--site', '2'], without)
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringContaining('Set WP_FRAMES_OLD_TOKEN'),
    ])
  })

  it('both sides at one address, and addresses without TLS', async () => {
    const same = await compare('--old', ours.url, '--new', ours.url, '--site', '2')
    expect(same.stderr).toContain('are the same address')
    const plain = await compare('--old', 'http://old.example/v1', '--new', ours.url, '--site', '2')
    expect(plain.stderr).toContain('is not encrypted')
  })

  it('sites that the token does not administer', async () => {
    const { code, stderr } = await run('--site', '2,77')
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no site with the id 77')])
  })

  it.each([
    [['--site', '2', '--network']],
    [[]],
    [['--site', '2,']],
    [['--site', '2', '--deep', 'x']],
  ])('wrong usage: %j', async (args) => {
    expect((await run(...args)).code).toBe(2)
  })

  it.each(['nonsense', 'ftp://old.example', 'https://user:password@old.example'])(
    'an address that is none: %s',
    async (address) => {
      const { code, stderr } = await compare('--old', address, '--site', '2')
      expect([code, stderr]).toEqual([2, expect.stringContaining('Use the address of the API')])
    },
  )

  it('accepted differences without a reason', async () => {
    const file = join(folder, 'no-reason.yaml')
    await writeFile(file, '- route: GET /menus\n  field: theme\n')
    const { code, stderr } = await run('--site', '2', '--accept', file)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${file}:1: 0.reason`)])
  })
})
