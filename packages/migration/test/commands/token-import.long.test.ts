import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../../../src/host/hash.ts'
import { authenticate } from '../../../../src/record/auth/authenticate.ts'
import { scopesTable } from '../../../../src/record/auth/token-scopes.ts'
import { generateToken, tokensTable } from '../../../../src/record/auth/tokens.ts'
import { historyTable } from '../../../../src/record/history/history-row.ts'
import { commandsOn, runCommand } from '../../../../test/support/cli.ts'
import { useNetwork } from '../../../../test/support/network.ts'
import { useFolder } from '../../../../test/support/use.ts'

const network = await useNetwork()
const folder = await useFolder('token-import')
const { db, globals } = network
const { environment, run } = commandsOn(network)

beforeEach(async () => {
  for (const table of [tokensTable(globals), scopesTable(globals), historyTable(globals)])
    await db.sql(table).delete()
})

const FILE = join(folder, 'tokens')

async function importText(text: string, ...args: string[]) {
  await writeFile(FILE, text)
  return run('token', 'import', FILE, ...args)
}

async function importJson(tokens: readonly object[], ...args: string[]) {
  const { code, stdout, stderr } = await importText(JSON.stringify(tokens), ...args, '--json')
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

const callerOf = (secret: string) => authenticate(db, globals, secret, new Date())
const stored = (): Promise<{ count: number }[]> =>
  db.sql(tokensTable(globals)).count({ count: '*' })
const historyOf = () =>
  db.sql(historyTable(globals)).where({ kind: 'token' }).select('action', 'ref', 'state', 'label')

describe('token import', () => {
  it('accepts secrets and hashes of a CSV file, with their users and limits', async () => {
    const [first, second, third] = [generateToken(), generateToken(), generateToken()]
    const { code, stdout, stderr } = await importText(
      [
        '\ufefftoken,sha256,user,label,expires_at,scope,sites',
        `${first},,alice,"deploy, ""nightly""",2099-01-01T02:00:00+02:00,menus,5 2`,
        '',
        `,${sha256Hex(second).toUpperCase()}, bob ,,,,`,
        `${third},,admin,,,,2;5;2`,
      ].join('\r\n'),
    )
    expect([code, stderr.split('\n')[0]]).toEqual([0, '3 tokens imported, 0 updated, 0 unchanged.'])
    expect(stderr).toContain('The file contains secrets')
    expect(stderr).toContain('Warning: tokens of users who are not super administrators ("bob")')
    for (const secret of [first, second, third])
      for (const text of [stdout, stderr]) {
        expect(text).not.toContain(secret.slice(3, 20))
        expect(text.toLowerCase()).not.toContain(sha256Hex(secret).slice(0, 20))
      }
    expect(await callerOf(first)).toMatchObject({
      user: { login: 'alice' },
      tokenLabel: 'deploy, "nightly"',
      tokenExpiresAt: '2099-01-01 00:00:00',
      limits: { scope: 'menus', sites: [2, 5] },
    })
    expect(await callerOf(second)).toMatchObject({
      user: { login: 'bob' },
      tokenExpiresAt: null,
      limits: { scope: 'all', sites: null },
    })
    expect((await callerOf(third)).limits).toEqual({ scope: 'all', sites: [2, 5] })
    expect(stdout).toMatch(/^row +id +login +label +scope +sites +expires_at +result\n2 /)
    const list = await run('token', 'list')
    expect(list.stdout).toMatch(/ alice +deploy, "nightly" +menus +2,5 /)
  })

  it('reads JSON, also from standard input', async () => {
    const [first, second] = [generateToken(), generateToken()]
    const answer = await importJson([
      { token: first, user: 'alice', sites: [5, 2], label: null, scope: 'read' },
    ])
    expect(answer).toEqual({
      success: true,
      dry_run: false,
      imported: 1,
      updated: 0,
      unchanged: 0,
      tokens: [
        {
          row: 1,
          id: expect.any(Number),
          login: 'alice',
          label: '',
          scope: 'read',
          sites: [2, 5],
          expires_at: null,
          result: 'imported',
        },
      ],
    })
    const text = JSON.stringify([{ sha256: sha256Hex(second), user: 'bob' }])
    expect((await runCommand(['token', 'import', '-'], environment, text)).code).toBe(0)
    expect((await callerOf(second)).user.login).toBe('bob')
  })

  it('leaves tokens alone that are stored with the same fields, also expired ones', async () => {
    const tokens = [
      { token: generateToken(), user: 'alice', sites: [2, 5], expires_at: '2099-01-01' },
      { sha256: sha256Hex(generateToken()), user: 'bob', label: 'b' },
    ]
    const first = await importJson(tokens)
    await db.sql(tokensTable(globals)).update({ last_used_at: '2026-01-01 00:00:00' })
    const again = await importJson(tokens)
    expect(again).toMatchObject({ imported: 0, unchanged: 2 })
    expect(again.tokens.map(({ id }: { id: number }) => id)).toEqual(
      first.tokens.map(({ id }: { id: number }) => id),
    )
    expect(await stored()).toEqual([{ count: 2 }])
    expect(await historyOf()).toHaveLength(2)
    // The token has expired meanwhile, and the file is imported again.
    await db
      .sql(tokensTable(globals))
      .whereNotNull('expires_at')
      .update({ expires_at: '2020-01-01 00:00:00' })
    const past = [{ ...tokens[0], expires_at: '2020-01-01' }]
    expect(await importJson(past)).toMatchObject({ unchanged: 1 })
    // The same secret as a hash is the same token.
    expect(
      await importJson([{ sha256: sha256Hex(tokens[0]?.token ?? ''), ...past[0], token: null }]),
    ).toMatchObject({ unchanged: 1 })
  })

  it('refuses other fields of a stored token, unless --update gives it these', async () => {
    const token = generateToken()
    await importJson([{ token, user: 'alice', label: 'old', scope: 'menus', sites: [2] }])
    const { tokenId } = await callerOf(token)
    const wanted = JSON.stringify([{ token, user: 'bob', label: 'old' }])
    const refused = await importText(wanted)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toBe(
      `Token 1: the token is stored with other values of user, scope, sites (token ${tokenId}); correct the file, or give it the values of the file with --update.\n1 problem in the file. Nothing was imported.\n`,
    )
    expect((await callerOf(token)).user.login).toBe('alice')
    expect(JSON.parse((await importText(wanted, '--update', '--json')).stdout)).toMatchObject({
      updated: 1,
    })
    expect(await callerOf(token)).toMatchObject({
      tokenId,
      user: { login: 'bob' },
      limits: { scope: 'all', sites: null },
    })
    const [first, second] = await historyOf()
    expect([first?.action, second?.action]).toEqual(['imported', 'imported'])
    expect(first?.label).toMatch(/^cli .+@/)
    expect(JSON.parse(second?.state)).toMatchObject({ user_id: 3, scope: 'all', sites: null })
    const back = JSON.stringify([{ token, user: 'bob', sites: [5] }])
    expect((await importText(back, '--update')).code).toBe(0)
    expect((await callerOf(token)).limits.sites).toEqual([5])
  })

  it('refuses a token that was revoked here, and one that has expired', async () => {
    const token = generateToken()
    const tokens = [{ token, user: 'alice' }]
    await importJson(tokens)
    const { tokenId } = await callerOf(token)
    await run('token', 'revoke', String(tokenId))
    for (const args of [[], ['--update']]) {
      const { code, stderr } = await importText(JSON.stringify(tokens), ...args)
      expect(code).toBe(1)
      expect(stderr).toMatch(/^Token 1: the token was revoked here on \d{4}-.* \(token \d+\)/)
    }
    await expect(callerOf(token)).rejects.toMatchObject({ code: 'invalid_token' })
    const past = [{ token: generateToken(), user: 'alice', expires_at: '2020-01-01' }]
    expect((await importText(JSON.stringify(past))).stderr).toMatch(
      /^Token 1: expires_at: 2020-01-01 00:00:00 GMT has passed/,
    )
  })

  it('writes nothing in a dry run, and checks all', async () => {
    const token = generateToken()
    const answer = await importJson([{ token, user: 'alice' }], '--dry-run')
    expect(answer).toMatchObject({ dry_run: true, imported: 1, tokens: [{ id: null }] })
    expect(await stored()).toEqual([{ count: 0 }])
    expect(await historyOf()).toEqual([])
    const { code, stderr } = await importText(
      JSON.stringify([{ token: 'x', user: 'alice' }]),
      '--dry-run',
    )
    expect([code, stderr]).toEqual([1, expect.stringContaining('Nothing was imported')])
  })
})

describe('a file with mistakes', () => {
  it('is refused as a whole, with each problem and its line, and without its secrets', async () => {
    const good = generateToken()
    const cut = generateToken().slice(0, -10)
    const rows = [
      `${good},,alice,,,,`,
      `${cut},,alice,,,,`,
      `op_${'a'.repeat(64)},,alice,,,,`,
      `,${'ab12'.repeat(10)},alice,,,,`,
      `,$2y$10$abcdefghijklmnopqrstuv,alice,,,,`,
      `,${sha256Hex('')},alice,,,,`,
      `,${generateToken()},alice,,,,`,
      `,,alice,,,,`,
      `${generateToken()},${sha256Hex('x')},alice,,,,`,
      `${good},,alice,,,,`,
      `${generateToken()},,nobody,,,,`,
      `${generateToken()},,erin,,,,`,
      `${generateToken()},,ALICE,,,,`,
      `${generateToken()},,,,,,`,
      `${generateToken()},,alice,,soon,,`,
      `${generateToken()},,alice,,,most,`,
      `${generateToken()},,alice,,,,2 x`,
      `${generateToken()},,alice,,,,4711`,
      `${generateToken()},,alice,${'x'.repeat(201)},,,`,
      `${generateToken()},,alice,a,b,c,d,e`,
      `,,${generateToken()},,,,`,
      `${generateToken()},,alice,${generateToken()},,,`,
      `${generateToken()},,alice,cli deploy@web1,,,`,
    ]
    const text = `token,sha256,user,label,expires_at,scope,sites\n${rows.join('\n')}\n`
    const { code, stdout, stderr } = await importText(text)
    expect([code, stdout]).toEqual([1, ''])
    const lines = stderr.trimEnd().split('\n')
    const expected = [
      [3, 'token: the secret is not strong: it has 54 characters after op_, and needs 64.'],
      [4, 'token: the secret is not strong: it has only 1 different characters'],
      [5, 'sha256: it has 40 hexadecimal digits, as SHA-1 has; a SHA-256 has 64'],
      [6, 'sha256: it is a hash with a salt'],
      [7, 'sha256: it is the SHA-256 of an empty or obvious text'],
      [8, 'sha256: it is a secret; write it in the field token'],
      [9, 'has no token and no sha256'],
      [10, 'has token and sha256'],
      [11, 'has the same secret as line 2'],
      [12, 'user: no user has the login "nobody"'],
      [13, 'user: "erin" is marked as spam or deleted'],
      [14, 'user: no user has the login "ALICE"'],
      [15, 'user: is missing'],
      [16, 'expires_at: is "soon"; write a time such as'],
      [17, 'scope: is "most"; write read, frames, menus, all'],
      [18, 'sites: is "2 x"'],
      [19, 'sites: there is no site 4711'],
      [20, 'label: must have at most 200 characters'],
      [21, 'has 8 values, and the header has 7'],
      [22, 'has no token and no sha256'],
      [23, 'label: contains a secret'],
      [24, 'label: must not begin with "cli": this marks what commands have written'],
    ] as const
    for (const [line, problem] of expected)
      expect(lines).toContainEqual(expect.stringContaining(`Line ${line}: ${problem}`))
    expect(lines).toHaveLength(expected.length + 1)
    expect(lines.at(-1)).toBe('22 problems in the file. Nothing was imported.')
    for (const [secret] of text.matchAll(/[A-Za-z0-9]{24,}/g))
      expect(stderr).not.toContain(secret.slice(0, 24))
    expect(await stored()).toEqual([{ count: 0 }])
  })

  it.each([
    ['', 'The file is empty'],
    ['token,user\n', 'contains no tokens'],
    ['[]', 'contains no tokens'],
    ['{}', 'one object'],
    [`[{"token": "${generateToken()}" "user": 1}]`, 'not valid JSON: there is an error at'],
    [`${generateToken()},alice\n`, 'no field a text of 67 characters'],
    ['token,usr\n', 'no field "usr". Did you mean "user"?; there is no column user'],
    ['user,label\na,b\n', 'no column token'],
    ['token,user,user\n', 'occurs twice'],
    [`token,user\n"${generateToken()},alice\n`, 'not valid CSV'],
    ['[1, {"tokn": "x", "user": "alice"}]', 'Token 2: there is no field "tokn"'],
    ['\xff', 'not valid UTF-8'],
  ])('is refused: %j', async (text, message) => {
    await writeFile(FILE, text, text === '\xff' ? 'latin1' : 'utf8')
    const { code, stdout, stderr } = await run('token', 'import', FILE)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/[A-Za-z0-9]{24}/)
  })

  it('is refused if it has too many tokens, or is too large', async () => {
    const line = `${generateToken()},alice\n`
    const many = await importText(`token,user\n${line.repeat(10_001)}`)
    expect(many.stderr).toContain('10001 tokens')
    const large = await importText(`token,user\n${' '.repeat(9_000_000)}`)
    expect(large.stderr).toContain('too large for an import of tokens')
  })

  it('lists the first hundred problems', async () => {
    const { stderr } = await importText(`token,user\n${'x,alice\n'.repeat(150)}`)
    expect(stderr.trimEnd().split('\n')).toHaveLength(102)
    expect(stderr).toContain('And 50 more problems.\n150 problems in the file.')
  })
})

it('imports ten thousand tokens in one transaction', async () => {
  const lines = Array.from({ length: 10_000 }, () => `${generateToken()},alice,frames,2\n`)
  const text = `token,user,scope,sites\n${lines.join('')}`
  expect((await importText(text)).stderr).toContain('10000 tokens imported')
  expect((await importText(text)).stderr).toContain('10000 unchanged')
  expect((await callerOf(lines[9_999]?.slice(0, 67) ?? '')).limits.sites).toEqual([2])
}, 60_000)
