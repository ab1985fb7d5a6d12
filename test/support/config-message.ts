import { ConfigError, parseConfig } from '../../src/host/config/config.ts'

/** Why variables are refused; undefined if they are valid. */
export function configMessage(env: Readonly<Record<string, string>>): string | undefined {
  try {
    parseConfig(env)
    return undefined
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}
