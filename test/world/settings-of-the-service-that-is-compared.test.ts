import { expect, it } from 'vitest'
import type { CliContext } from '../../src/cli/cli-context.ts'
import { startScratchService } from '../../src/cli/compare/writes/scratch-service.ts'
import { type Config, parseConfig } from '../../src/host/config/config.ts'
import { FAST } from '../support/timings.ts'

/**
 * An operator compared writes with the settings of the running service, which passes requests on and has tokens checked: the scratch service would have
 * sent writes and tokens to the real old endpoint.
 * Right: docs/moving-from-php.md: the scratch service is seen by nobody else.
 */
it('the scratch service has nothing to do with an old endpoint, nor with other systems', async () => {
  const config = parseConfig({
    DATABASE_URL: 'mysql://localhost/live',
    LEGACY_URL: 'http://127.0.0.1:9/old',
    LEGACY_FAMILIES: 'pages',
    LEGACY_TOKENS: 'ask',
    LEGACY_TOKEN_USER: 'alice',
    REDIS_URL: 'redis://127.0.0.1:9',
    STATIC_DIR: '/nowhere',
    BASE_PATH: '/wp-json/svc/v1',
  })
  expect(config).toMatchObject({ legacyTokens: 'ask', legacyTokenUser: 'alice' })
  expect(config.legacyFamilies.size).toBeGreaterThan(0)
  let opened: Config | undefined
  const context = {
    timings: FAST,
    openServices: (settings: Config) => {
      opened = settings
      return Promise.reject(new Error('only the settings'))
    },
  } as unknown as CliContext
  const scratch = { url: 'mysql://localhost/scratch' } as Parameters<typeof startScratchService>[2]
  await expect(startScratchService(context, config, scratch)).rejects.toThrow('only the settings')
  expect(opened).toMatchObject({
    databaseUrl: 'mysql://localhost/scratch',
    legacyUrl: undefined,
    legacyFamilies: new Map(),
    legacyTokens: 'off',
    legacyTokenUser: undefined,
    redisUrl: undefined,
    staticDir: undefined,
    basePath: '',
  })
})
