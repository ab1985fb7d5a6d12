import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, it } from 'vitest'
import { startPrivateDatabase } from '../../demo/private-database/start-private-database.ts'
import { describeKnownError } from '../../src/cli/describe-error.ts'
import { describeWith } from '../support/describe-with.ts'
import { openTestDatabase } from '../support/open-database.ts'
import { sqlOf } from '../support/statements.ts'
import { use, useFolder } from '../support/use.ts'

const run = promisify(execFile)
/** Creates a key and a self-signed certificate for this host name. */
async function makeCertificate(file: string, host: string): Promise<void> {
  const request = 'req -x509 -newkey rsa:2048 -nodes -days 2'.split(' ')
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  const files = ['-keyout', `${file}.key`, '-out', `${file}.pem`]
  await run('openssl', [...request, ...names, ...files])
}

/** A status variable of a session at this URL: `Ssl_cipher` is empty without encryption. */
async function statusAt(name: string, url: URL): Promise<string> {
  const db = openTestDatabase({ url: url.href })
  try {
    const [[row]] = await sqlOf(db).raw('SHOW SESSION STATUS LIKE ?', [name])
    return row?.Value ?? ''
  } finally {
    await db.close()
  }
}

function address(serverUrl: string, host: string, parameters: string): URL {
  const url = new URL(serverUrl)
  return Object.assign(url, { hostname: host, pathname: '/mysql', search: parameters })
}

describeWith('openssl', 'a database server with TLS', async () => {
  const folder = await useFolder('tls')
  const file = (name: string): string => join(folder, name)
  await makeCertificate(file('server'), 'localhost')
  await makeCertificate(file('other'), 'db.example.com')
  const server = await use(
    startPrivateDatabase({
      dataDir: file('db'),
      durable: false,
      log: () => {},
      extraArgs: [`--ssl-cert=${file('server.pem')}`, `--ssl-key=${file('server.key')}`],
    }),
  )
  const cipherAt = (host: string, parameters: string): Promise<string> =>
    statusAt('Ssl_cipher', address(server.url, host, parameters))

  it.each(['', 'ssl=0', 'ssl-mode=DISABLED'])('is asked in plain text with "%s"', async (none) => {
    expect(await cipherAt('127.0.0.1', none)).toBe('')
  })

  it('is queried encrypted without a certificate check', async () => {
    expect(await cipherAt('127.0.0.1', 'ssl-mode=REQUIRED')).not.toBe('')
  })

  it.each(['', 'ssl-mode=VERIFY_CA&', 'ssl-mode=VERIFY_IDENTITY&', 'ssl=1&'])(
    'is asked where "%s" finds the certificate right',
    async (mode) => {
      expect(await cipherAt('localhost', `${mode}ssl-ca=${file('server.pem')}`)).not.toBe('')
    },
  )

  it.each(['ssl=1', 'ssl-mode=VERIFY_CA', 'ssl-mode=VERIFY_IDENTITY'])(
    'is not queried with %s if its certificate is not trusted',
    async (mode) => {
      await expect(cipherAt('localhost', mode)).rejects.toMatchObject({
        code: 'HANDSHAKE_SSL_ERROR',
      })
      const wrong = `${mode}&ssl-ca=${file('other.pem')}`
      const error = await cipherAt('localhost', wrong).catch((error: unknown) => error)
      expect(describeKnownError(error)).toMatch(/^The TLS connection to the database failed: /)
    },
  )

  it('is not queried if its host name differs from its certificate', async () => {
    const ca = `ssl-ca=${file('server.pem')}`
    expect(await cipherAt('127.0.0.1', `ssl-mode=VERIFY_CA&${ca}`)).not.toBe('')
    // The host name now differs from the one in the certificate.
    await run('cp', [file('other.pem'), file('server.pem')])
    await run('cp', [file('other.key'), file('server.key')])
    const url = address(server.url, '127.0.0.1', '')
    const db = openTestDatabase({ url: url.href })
    const [[{ version }]] = await sqlOf(db).raw('SELECT VERSION() AS version')
    await sqlOf(db).raw(version.includes('MariaDB') ? 'FLUSH SSL' : 'ALTER INSTANCE RELOAD TLS')
    await db.close()
    expect(await cipherAt('localhost', `ssl-mode=VERIFY_CA&${ca}`)).not.toBe('')
    await expect(cipherAt('localhost', `ssl-mode=VERIFY_IDENTITY&${ca}`)).rejects.toMatchObject({
      code: 'HANDSHAKE_SSL_ERROR',
    })
  })
})

it('the service does not connect in plain text to a server without TLS', async (context) => {
  const at = (parameters: string) => address(inject('serverUrl'), '127.0.0.1', parameters)
  context.skip((await statusAt('Ssl_server_not_after', at(''))) !== '', 'this server offers TLS')
  const error = await statusAt('Ssl_cipher', at('ssl-mode=REQUIRED')).catch((error) => error)
  expect(error).toMatchObject({ code: 'HANDSHAKE_NO_SSL_SUPPORT' })
  expect(describeKnownError(error)).toContain('does not support TLS')
})
