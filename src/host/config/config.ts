import { z } from 'zod'
import { OperatorError } from '../errors.ts'
import { findSimilar } from '../similar.ts'
import {
  CACHE_PURGE_VARIABLES,
  type CachePurgeSettings,
  cachePurgeSettings,
} from './cache-purge.ts'
import { findOldEndpointFault } from './old-endpoint.ts'
import { describeRetired } from './retired.ts'
import {
  describeSetting,
  type Environment,
  fileVariable,
  readSecretFiles,
  secretsOf,
  withDemoDatabase,
} from './secrets.ts'
import {
  COPY_VARIABLES,
  type CopySettings,
  copySettings,
  findTargetFault,
} from './store-settings.ts'
import { VARIABLES } from './variables.ts'

export const BYTES_PER_MB = 1024 * 1024

/** Limit for the markup of all frames of a site, in bytes; undefined for none. */
export const maxSiteBytesOf = ({
  storedMbPerSite = 0,
}: {
  readonly storedMbPerSite?: number | undefined
}): number | undefined => (storedMbPerSite > 0 ? storedMbPerSite * BYTES_PER_MB : undefined)

/** All environment variables of the service. */
export const EnvironmentSchema = z.object(VARIABLES)

type VariableValues = z.output<typeof EnvironmentSchema>

/** `FRONT_PORT` as `frontPort`. */
type SettingName<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<SettingName<Rest>>}`
  : Lowercase<Name>

/** Variables that say only together what the setting is. */
const PARTS = { ...COPY_VARIABLES, ...CACHE_PURGE_VARIABLES }

type PlainSettings = {
  readonly [Name in Exclude<
    keyof VariableValues,
    keyof typeof PARTS
  > as SettingName<Name>]: VariableValues[Name]
}

/** The settings of the service, validated and with defaults. `VARIABLES` says what each means. */
export type Config = PlainSettings &
  CopySettings &
  CachePurgeSettings & {
    /** Variables that are not known and resemble one that is: a sentence about each. */
    readonly suspectVariables: readonly string[]
    /** What others may see of each variable, by its name. */
    readonly shownSettings: Readonly<Record<string, string>>
  }

export type MarkupWriters = Config['markupWriters']

/** Invalid settings. The message names each variable and its valid values. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError'
}

/**
 * Validates environment variables and returns the configuration. Secrets may be in files.
 * @throws ConfigError that names every variable that is retired or has an invalid value
 */
export function parseConfig(env: Environment): Config {
  // Compose files and shells set a variable to the empty string to unset it. Only an empty STATIC_DIR has a meaning.
  const set = Object.entries(env).filter(([name, value]) => value !== '' || name === 'STATIC_DIR')
  const { env: given, faults: fileFaults } = readSecretFiles(
    Object.fromEntries(set),
    secretVariables(),
  )
  const faults = [...describeRetired(given), ...fileFaults]
  const parsed = EnvironmentSchema.safeParse(given)
  const invalid = parsed.error?.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`)
  if (!parsed.success || faults.length > 0)
    throw new ConfigError([...faults, ...(invalid ?? [])].join('\n'))
  const value = parsed.data
  const fault = findOldEndpointFault(value) ?? findTargetFault(given)
  if (fault !== undefined) throw new ConfigError(fault)
  return {
    ...settingsOf(value),
    ...copySettings(value),
    ...asConfigError(() => cachePurgeSettings(value)),
    suspectVariables: findSuspectVariables(Object.keys(env)),
    shownSettings: Object.fromEntries(
      Object.entries(EnvironmentSchema.shape).map(([name, schema]) => [
        name,
        describeSetting(schema, given[name]),
      ]),
    ),
  }
}

/** The values by the names of the settings. */
const settingsOf = (values: VariableValues): PlainSettings =>
  Object.fromEntries(
    Object.keys(VARIABLES)
      .filter((name) => !(name in PARTS))
      .map((name) => [settingName(name), values[name as keyof VariableValues]]),
  ) as PlainSettings

const settingName = (variable: string): string =>
  variable.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** @throws ConfigError instead of any other error */
function asConfigError<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error))
  }
}

/** The names of the variables whose values nobody may see. */
export const secretVariables = (): readonly string[] => secretsOf(EnvironmentSchema.shape)

/** Misspelt variables have no effect, and nothing else says so. */
function findSuspectVariables(names: readonly string[]): string[] {
  const known = [...Object.keys(EnvironmentSchema.shape), ...secretVariables().map(fileVariable)]
  return names
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const similar = findSimilar(name, known)
      return similar === undefined
        ? []
        : [`The variable ${name} is not known and has no effect. Did you mean ${similar}?`]
    })
}

/** The configuration of this process. The only code that reads `process.env`. */
export function readConfig(): Config {
  return parseConfig(withDemoDatabase(process.env))
}
