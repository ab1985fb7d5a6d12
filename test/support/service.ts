import { type Config, parseConfig } from '../../src/host/config/config.ts'
import { openServices, type Services } from '../../src/services.ts'
import type { TestNetwork } from './network.ts'

/**
 * The service as a process opens it, on the database of a test, which stays open: without rate limits and static copies unless the settings have them.
 * It listens nowhere, does nothing by itself, and its executor waits until everything is built.
 */
export function openTestService(
  { db, globals, url }: Pick<TestNetwork, 'db' | 'globals' | 'url'>,
  settings: Partial<Config> = {},
): Promise<Services> {
  const config = parseConfig({
    DATABASE_URL: url,
    TABLE_PREFIX: globals.basePrefix,
    LOG_LEVEL: 'silent',
    STATIC_DIR: '',
    RATE_LIMIT_PER_MINUTE: '0',
    AUTH_FAILURES_PER_MINUTE: '0',
    WEBHOOK_ALLOW_HOSTS: '127.0.0.1',
  })
  return openServices({ ...config, ...settings }, { db, timings: db.timings })
}
