import { expect, it } from 'vitest'
import type { Roles } from '../../../src/cli/cli-context.ts'
import { parseConfig } from '../../../src/host/config/config.ts'
import { createLog } from '../../../src/host/log.ts'
import { openFeed } from '../../../src/services.ts'
import { globalTables } from '../../../src/wordpress/network/site.ts'
import { openTestDatabase } from '../../support/open-database.ts'

const ADDRESS = 'mysql://nobody@127.0.0.1:9/'
const API: Roles = { api: true, front: false }
const EXECUTOR: Roles = { api: false, front: false, executor: true }

it.each<[boolean, Roles, Record<string, string>]>([
  [true, API, {}],
  [true, EXECUTOR, { EXECUTOR_URL: 'http://executor' }],
  [false, API, { EXECUTOR_URL: 'http://executor' }],
  [false, API, { STATIC_DIR: '' }],
  [false, API, { FEED_DATABASE_URL: '' }],
])(
  'opens a feed (%s) in a process with the roles %o and the variables %o',
  (isOpen, roles, env) => {
    const log = createLog('silent')
    const feed = openFeed(parseConfig({ FEED_DATABASE_URL: ADDRESS, ...env }), roles, {
      db: openTestDatabase({ url: `${ADDRESS}none` }),
      globals: globalTables('wp_'),
      log,
      onChanges: async () => {},
    })
    expect(feed !== undefined).toBe(isOpen)
  },
)
