import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

/** Marks a variable whose value nobody may see. It may be in a file, too. */
export const asSecret = <T extends z.ZodType>(schema: T): T => schema.meta({ isSecret: true })

/** The same of addresses, which contain a secret: others may see where they lead. */
export const asSecretAddress = <T extends z.ZodType>(schema: T): T =>
  schema.meta({ isSecret: true, isAddress: true })

const isSecret = (schema: z.ZodType): boolean => schema.meta()?.isSecret === true

/** The names of the secrets among the variables that are described. */
export const secretsOf = (shape: Readonly<Record<string, z.ZodType>>): readonly string[] =>
  Object.entries(shape).flatMap(([name, schema]) => (isSecret(schema) ? name : []))

/** The variable with the path of a file that contains a secret. */
export const fileVariable = (secret: string): string => `${secret}_FILE`

/** Environment variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the secrets that are in files. The line break at the end, which editors add, is no part of a secret.
 * @param env variables that are set
 * @returns the variables with the secrets in place of their files, and what is wrong with the files, as sentences
 */
export function readSecretFiles(
  env: Environment,
  secrets: readonly string[],
): { readonly env: Environment; readonly faults: readonly string[] } {
  const result = { ...env }
  const faults: string[] = []
  for (const name of secrets) {
    const variable = fileVariable(name)
    const path = env[variable]
    if (path === undefined) continue
    delete result[variable]
    try {
      if (env[name] !== undefined) throw new Error(`is set, and so is ${name}; unset one of them`)
      result[name] = readSecret(path)
    } catch (error) {
      faults.push(`${variable} ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { env: result, faults }
}

/** @throws Error whose message follows the name of the variable */
function readSecret(path: string): string {
  let text: string
  try {
    // The decoder leaves out the byte order mark that some editors write.
    text = new TextDecoder().decode(readFileSync(path)).replace(/\r?\n$/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(
      `names the file "${path}", which cannot be read (${code}); check the path, and that the user of the service may read the file`,
    )
  }
  if (text === '')
    throw new Error(`names the file "${path}", which is empty; write the secret to it`)
  return text
}

/** A secret that is sent in a header or signs requests. */
export const secret = () =>
  asSecret(
    z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'may contain printable ASCII characters without spaces only')
      .optional(),
  )

/** The keys of Amazon's interfaces: of a store of static copies, and of CloudFront. */
export const AWS_KEYS = {
  AWS_ACCESS_KEY_ID: secret().describe(
    'id of the key of the store (`STATIC_TARGET`), and of CloudFront (`CACHE_PURGE`)',
  ),
  AWS_SECRET_ACCESS_KEY: secret().describe('the key itself'),
  AWS_SESSION_TOKEN: secret().describe('of temporary keys only'),
}

/** What others may see of a variable: of a secret only that it is set, of addresses with secrets where they lead. */
export function describeSetting(schema: z.ZodType, value: string | undefined): string {
  if (value === undefined || value === '') return 'not set'
  if (!isSecret(schema)) return value
  return schema.meta()?.isAddress ? value.split(',').map(withoutSecrets).join() : 'set'
}

/** Scheme, host and path of an address. */
function withoutSecrets(address: string): string {
  const [, scheme = '', rest = ''] =
    /^([a-z]+:\/\/)(?:[^/?#]*@)?([^?#]*)/.exec(address.trim()) ?? []
  // What is no address, or has a password with unencoded characters, is not shown.
  return scheme === '' || rest.includes('@') ? 'set' : scheme + rest
}

/** Contains the address of the demo's database while `npm start` runs in this folder. */
export const DEMO_DATABASE_FILE = '.data/demo-database'

/** The environment of a command: without a database or service, it finds the demo that runs in its folder. */
export function withDemoDatabase(env: Environment): Environment {
  const isSet = [env.DATABASE_URL, env.DATABASE_URL_FILE, env.WP_FRAMES_ENV].some(Boolean)
  return isSet || !existsSync(DEMO_DATABASE_FILE)
    ? env
    : { ...env, DATABASE_URL: undefined, DATABASE_URL_FILE: DEMO_DATABASE_FILE }
}
