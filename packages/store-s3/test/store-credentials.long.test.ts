import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { defaultProvider } from '../../../test/packages/credential-provider.ts'
import { listen } from '../../../test/support/listen.ts'
import { FAST } from '../../../test/support/timings.ts'
import { use, useFolder } from '../../../test/support/use.ts'
import { PlatformCredentials } from '../src/platform-credentials.ts'
import { MissingCredentialsError, StoreCredentials } from '../src/store-credentials.ts'

const NONE = { find: async () => 'there are none', forget: () => {} }

const file = join(await useFolder('credentials'), 'credentials')

it('the keys of a store are read from a section of a file, and again after they were refused', async () => {
  await writeFile(
    file,
    '# keys\n[default]\naws_access_key_id = one\naws_secret_access_key=abc=\n\n[ pages ]\r\nAWS_ACCESS_KEY_ID=two\r\naws_secret_access_key = def\naws_session_token = ghi\n',
  )
  const credentials = new StoreCredentials({ file, profile: 'pages' }, FAST.store)
  expect(await credentials.get()).toEqual({
    accessKeyId: 'two',
    secretAccessKey: 'def',
    sessionToken: 'ghi',
  })
  const other = new StoreCredentials({ file, profile: 'default' }, FAST.store)
  const keys = { accessKeyId: 'one', secretAccessKey: 'abc=' }
  expect(await other.get()).toEqual(keys)
  await writeFile(file, '[default]\naws_access_key_id = new\naws_secret_access_key = new\n')
  expect(await other.get()).toEqual(keys)
  other.forget()
  expect(await other.get()).toEqual({ accessKeyId: 'new', secretAccessKey: 'new' })
})

it('missing keys of a store are named with what to do', async () => {
  const inFile = new StoreCredentials({ file, profile: 'missing' }, FAST.store, NONE)
  await expect(inFile.get()).rejects.toThrow(MissingCredentialsError)
  await expect(inFile.get()).rejects.toThrow(
    /in the section \[missing\]\. Add them, or set AWS_PROFILE/,
  )
  const nowhere = new StoreCredentials(
    { file: '/nonexistent/keys', profile: 'default' },
    FAST.store,
    NONE,
  )
  await expect(nowhere.get()).rejects.toThrow(
    'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them to "/nonexistent/keys" (ENOENT)',
  )
})

describe('the keys of a role', () => {
  const TOKEN = 'token-of-the-container'
  /** In the shape of the credentials endpoint of containers (ECS, EKS Pod Identity). */
  const answers: { status: number; key: string; expires: number }[] = []
  const asked: (string | undefined)[] = []
  const set: Record<string, string | undefined> = {}
  const setVariable = (name: string, value: string | undefined) => {
    if (!(name in set)) set[name] = process.env[name]
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  const start = async () => {
    const server = await listen((request, response) => {
      asked.push(request.headers.authorization)
      const { status, key, expires } = answers.shift() ?? { status: 500, key: '', expires: 0 }
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(
        JSON.stringify({
          AccessKeyId: key,
          SecretAccessKey: `secret of ${key}`,
          Token: `session of ${key}`,
          Expiration: new Date(Date.now() + expires).toISOString(),
        }),
      )
    })
    return { port: server.port, stop: () => server.close() }
  }
  afterEach(() => {
    for (const [name, value] of Object.entries(set)) setVariable(name, value)
  })

  it('come from the platform if there is no file, and are asked for again after they were refused', async () => {
    const { port } = await use(start())
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE'])
      setVariable(name, undefined)
    setVariable('AWS_CONTAINER_CREDENTIALS_FULL_URI', `http://127.0.0.1:${port}/role`)
    setVariable('AWS_CONTAINER_AUTHORIZATION_TOKEN', TOKEN)
    setVariable('AWS_SHARED_CREDENTIALS_FILE', '/nonexistent/keys')
    setVariable('AWS_CONFIG_FILE', '/nonexistent/config')
    answers.push({ status: 200, key: 'ONE', expires: 60_000 })
    const sources = { file: '/nonexistent/keys', profile: 'default' }
    // The package of the tests, which the service finds beside itself.
    const platform = new PlatformCredentials(async () => defaultProvider())
    const credentials = new StoreCredentials(sources, FAST.store, platform)
    const keysOf = (key: string) => ({
      accessKeyId: key,
      secretAccessKey: `secret of ${key}`,
      sessionToken: `session of ${key}`,
    })
    expect(await credentials.get()).toEqual(keysOf('ONE'))
    expect(asked).toEqual([TOKEN])
    expect(await credentials.get()).toEqual(keysOf('ONE'))
    expect(asked).toHaveLength(1)
    answers.push({ status: 200, key: 'TWO', expires: 60_000 })
    credentials.forget()
    expect(await credentials.get()).toEqual(keysOf('TWO'))
    answers.push({ status: 404, key: '', expires: 0 })
    credentials.forget()
    await expect(credentials.get()).rejects.toThrow('For the keys of a role: the platform')
  })

  it('need a package, which is named if it is not installed', async () => {
    const platform = new PlatformCredentials(() =>
      Promise.reject(Object.assign(new Error('-'), { code: 'ERR_MODULE_NOT_FOUND' })),
    )
    const sources = { file: '/nonexistent/keys', profile: 'default' }
    await expect(new StoreCredentials(sources, FAST.store, platform).get()).rejects.toThrow(
      'For the keys of a role: install the package @aws-sdk/credential-provider-node (npm install',
    )
  })
})
