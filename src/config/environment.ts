import { type Config, parseConfig } from './config.ts'

/** The configuration that this process was started with: the only reader of the environment. */
export function readConfig(): Config {
  return parseConfig(process.env)
}
