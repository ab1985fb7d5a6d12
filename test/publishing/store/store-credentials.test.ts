import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  MissingCredentialsError,
  StoreCredentials,
} from '../../../src/publishing/store/store-credentials.ts'
import { useFolder } from '../../support/use.ts'

const file = join(await useFolder('credentials'), 'credentials')

it('the keys of a store are read from a section of a file, and again after they were refused', async () => {
  await writeFile(
    file,
    '# keys\n[default]\naws_access_key_id = one\naws_secret_access_key=abc=\n\n[ pages ]\r\nAWS_ACCESS_KEY_ID=two\r\naws_secret_access_key = def\naws_session_token = ghi\n',
  )
  const credentials = new StoreCredentials({ file, profile: 'pages' })
  expect(await credentials.get()).toEqual({
    accessKeyId: 'two',
    secretAccessKey: 'def',
    sessionToken: 'ghi',
  })
  const other = new StoreCredentials({ file, profile: 'default' })
  const keys = { accessKeyId: 'one', secretAccessKey: 'abc=' }
  expect(await other.get()).toEqual(keys)
  await writeFile(file, '[default]\naws_access_key_id = new\naws_secret_access_key = new\n')
  expect(await other.get()).toEqual(keys)
  other.forget()
  expect(await other.get()).toEqual({ accessKeyId: 'new', secretAccessKey: 'new' })
})

it('missing keys of a store are named with what to do', async () => {
  const inFile = new StoreCredentials({ file, profile: 'missing' })
  await expect(inFile.get()).rejects.toThrow(MissingCredentialsError)
  await expect(inFile.get()).rejects.toThrow(
    /in the section \[missing\]\. Add them, or set AWS_PROFILE/,
  )
  const nowhere = new StoreCredentials({ file: '/nonexistent/keys', profile: 'default' })
  await expect(nowhere.get()).rejects.toThrow(
    'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them to "/nonexistent/keys" (ENOENT)',
  )
})
