import { CommandError } from '../src/cli/cli-context.ts'
import { describeKnownError } from '../src/cli/describe-error.ts'
import { type Config, parseConfig } from '../src/host/config/config.ts'
import type { Environment } from '../src/host/config/secrets.ts'
import { DATA_FOLDER } from './data-folder.ts'

/** What the demo takes from the environment besides DEMO_DATABASE_URL. None of these leads to another system. */
const USED = ['HOST', 'PORT', 'FRONT_PORT', 'LOG_LEVEL', 'DB_BATCH', 'WATCH_SECONDS']

/** A receiver that somebody tries webhooks with runs on the same machine. */
const RECEIVERS = 'localhost, 127.0.0.1'

/** The address of the demo's database, where it is not a private one. */
const DATABASE = 'DEMO_DATABASE_URL'

/**
 * The settings of the demo. The environment of an operator names the database, the folder of copies and the caches of a network in production: the
 * demo uses none of them.
 * @throws ConfigError
 */
export function readDemoConfig(env: Environment): Config {
  const used = Object.fromEntries(USED.map((name) => [name, env[name]]))
  return parseConfig({ ...used, DATABASE_URL: env[DATABASE], WEBHOOK_ALLOW_HOSTS: RECEIVERS })
}

/** Describes the failure of a demo with the name that its setting has here. */
export function asDemoError(error: unknown): unknown {
  const message = describeKnownError(error)
  if (message === undefined) return error
  return new CommandError(
    message
      .replaceAll(/(?<!DEMO_)DATABASE_URL/g, DATABASE)
      // The demo reads no STATIC_DIR: its folder has the copies of the last database.
      .replace('Set STATIC_DIR to a folder of its own, or ', `Delete ${DATA_FOLDER}, or set `),
  )
}
