import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { CredentialSources, StoreKeys } from '#wp-frames/host/config/store-settings'
import type { Timings } from '#wp-frames/host/timings'
import { type Platform, PlatformCredentials } from './platform-credentials.ts'

/** The store's keys cannot be found. The message is for the operator. */
export class MissingCredentialsError extends Error {
  override readonly name = 'MissingCredentialsError'
}

/** Finds the keys of the store: in the settings, else in a file, else on the platform. */
export class StoreCredentials {
  readonly #sources: CredentialSources
  readonly #keptMs: number
  readonly #platform: Platform
  #kept: { readonly until: number; readonly read: Promise<StoreKeys> } | undefined

  /** @param platform what finds keys if neither settings nor a file have them [the provider chain of the AWS SDK] */
  constructor(
    sources: CredentialSources,
    { credentialsKeptMs }: Timings['store'],
    platform: Platform = new PlatformCredentials(),
  ) {
    this.#sources = sources
    this.#keptMs = credentialsKeptMs
    this.#platform = platform
  }

  /** @throws MissingCredentialsError */
  async get(): Promise<StoreKeys> {
    if (this.#sources.keys) return this.#sources.keys
    const now = performance.now()
    if (this.#kept && now < this.#kept.until) return this.#kept.read
    const read = this.#read()
    this.#kept = { until: now + this.#keptMs, read }
    read.catch(() => this.forget())
    return read
  }

  /** The next call asks the source. */
  forget(): void {
    this.#kept = undefined
    this.#platform.forget()
  }

  async #read(): Promise<StoreKeys> {
    const found = await this.#readFile()
    if (typeof found !== 'string') return found
    const keys = await this.#platform.find()
    if (typeof keys !== 'string') return keys
    throw new MissingCredentialsError(
      `the store of the static copies needs credentials: ${found}. For the keys of a role: ${keys}`,
    )
  }

  /** The keys in the file, or why it has none. */
  async #readFile(): Promise<StoreKeys | string> {
    const { file = join(homedir(), '.aws', 'credentials'), profile } = this.#sources
    let text: string
    try {
      text = await readFile(file, 'utf8')
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : error
      return `set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them to "${file}" (${code})`
    }
    const values = readSection(text, profile)
    const accessKeyId = values.get('aws_access_key_id')
    const secretAccessKey = values.get('aws_secret_access_key')
    if (!accessKeyId || !secretAccessKey)
      return `"${file}" has no aws_access_key_id and aws_secret_access_key in the section [${profile}]. Add them, or set AWS_PROFILE to another section`
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
