import { z } from 'zod'
import { AWS_KEYS, type Environment } from './secrets.ts'
import { parseStoreAddress, type StoreAddress } from './store-address.ts'

/** A store of static copies, and where its keys are. */
export type StoreSettings = {
  readonly address: StoreAddress
  readonly credentials: CredentialSources
}

/** Where the keys of a store are: in the settings, else in a file. */
export type CredentialSources = {
  readonly keys?: StoreKeys | undefined
  /** Path of a file in the format of `~/.aws/credentials`, which is the default. */
  readonly file?: string | undefined
  /** A section of the file. */
  readonly profile: string
}

/** The keys of a store. Never logged. */
export type StoreKeys = {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** Where the static copies are. The names of the keys of a store are those that other programs use. */
export const COPY_VARIABLES = {
  STATIC_DIR: z
    .string()
    .prefault('.data/static')
    .describe(
      '[folder of the static copies](scale-and-caches.md#the-folder-of-static-copies); an empty value disables them',
    ),
  STATIC_TARGET: z
    .string()
    .transform((text, context) => {
      const address = parseStoreAddress(text)
      if (typeof address !== 'string') return address
      context.addIssue(address)
      return z.NEVER
    })
    .optional()
    .describe(
      '[S3-compatible store](scale-and-caches.md#static-copies-in-an-object-store) of the static copies, such as `s3://bucket/prefix?region=eu-central-1`. `STATIC_DIR` must not be set then',
    ),
  ...AWS_KEYS,
  AWS_SHARED_CREDENTIALS_FILE: z
    .string()
    .optional()
    .describe(
      'file with the keys of the store, read if the variables above are not set; without it, `~/.aws/credentials`',
    ),
  AWS_PROFILE: z.string().prefault('default').describe('section of that file'),
}

type CopyVariables = z.output<z.ZodObject<typeof COPY_VARIABLES>>

/** What is wrong with the variables of the target as a whole; undefined for nothing. */
export function findTargetFault(env: Environment): string | undefined {
  if (!env.STATIC_TARGET) return undefined
  if (env.STATIC_DIR)
    return 'STATIC_DIR and STATIC_TARGET are both set; set only the one where the static copies are to be'
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = env
  if (!id === !secret) return undefined
  const [missing, given] = id
    ? ['SECRET_ACCESS_KEY', 'ACCESS_KEY_ID']
    : ['ACCESS_KEY_ID', 'SECRET_ACCESS_KEY']
  return `AWS_${missing} is not set, but AWS_${given} is; set both, or none of them to read them from a file`
}

/** Where the static copies are. */
export type CopySettings = {
  /** Their folder; undefined if there are none, or if they are in a store. */
  readonly staticDir: string | undefined
  /** The store of the static copies, in place of a folder; undefined for none. */
  readonly staticStore: StoreSettings | undefined
  /** Where the keys are of that store, and of one that a command names. */
  readonly storeCredentials: CredentialSources
}

export function copySettings(variables: CopyVariables): CopySettings {
  const { STATIC_DIR: folder, STATIC_TARGET: address } = variables
  const storeCredentials = credentialSources(variables)
  return address
    ? {
        staticDir: undefined,
        staticStore: { address, credentials: storeCredentials },
        storeCredentials,
      }
    : { staticDir: folder || undefined, staticStore: undefined, storeCredentials }
}

function credentialSources({
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_SESSION_TOKEN: token,
  AWS_SHARED_CREDENTIALS_FILE: file,
  AWS_PROFILE: profile,
}: CopyVariables): CredentialSources {
  if (accessKeyId === undefined || secretAccessKey === undefined) return { file, profile }
  const keys = {
    accessKeyId,
    secretAccessKey,
    ...(token === undefined ? {} : { sessionToken: token }),
  }
  return { keys, profile }
}
