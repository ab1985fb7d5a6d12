import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { CredentialSources, StoreKeys } from '../../config/store-settings.ts'

/** How long keys of a file are used before the file is read again, in milliseconds: other programs replace keys that expire. */
const KEPT_MS = 60_000

/** The store's keys cannot be found. The message is for the operator. */
export class MissingCredentialsError extends Error {
  override readonly name = 'MissingCredentialsError'
}

/** Finds the keys of the store. */
export class StoreCredentials {
  readonly #sources: CredentialSources
  #kept: { readonly until: number; readonly read: Promise<StoreKeys> } | undefined

  constructor(sources: CredentialSources) {
    this.#sources = sources
  }

  /** @throws MissingCredentialsError, and errors of the file system */
  async get(): Promise<StoreKeys> {
    if (this.#sources.keys) return this.#sources.keys
    const now = performance.now()
    if (this.#kept && now < this.#kept.until) return this.#kept.read
    const read = this.#readFile()
    this.#kept = { until: now + KEPT_MS, read }
    read.catch(() => this.forget())
    return read
  }

  /** The next call reads the file. */
  forget(): void {
    this.#kept = undefined
  }

  async #readFile(): Promise<StoreKeys> {
    const { file = join(homedir(), '.aws', 'credentials'), profile } = this.#sources
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new MissingCredentialsError(
        `the store of the static copies needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them to "${file}" (${error.code})`,
      )
    })
    const values = readSection(text, profile)
    const accessKeyId = values.get('aws_access_key_id')
    const secretAccessKey = values.get('aws_secret_access_key')
    if (!accessKeyId || !secretAccessKey)
      throw new MissingCredentialsError(
        `"${file}" has no aws_access_key_id and aws_secret_access_key in the section [${profile}]. Add them, or set AWS_PROFILE to another section`,
      )
    const sessionToken = values.get('aws_session_token')
    return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
  }
}

/** The values of a section by their names in lower case. */
function readSection(text: string, section: string): Map<string, string> {
  const values = new Map<string, string>()
  let current = ''
  for (const line of text.split(/\r?\n/)) {
    const [, name] = /^\s*\[\s*(.*?)\s*\]/.exec(line) ?? []
    if (name !== undefined) current = name
    const [, key, value] = /^\s*([A-Za-z_]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (current === section && key !== undefined) values.set(key.toLowerCase(), value ?? '')
  }
  return values
}
