import { ChangeFeed } from '../../../src/changes/feed/change-feed.ts'
import { TaskRunner } from '../../../src/db/tasks/task-runner.ts'
import { createLog } from '../../../src/host/log.ts'
import { globalTables } from '../../../src/wordpress/network/site.ts'
import { openTestDatabase } from '../../support/open-database.ts'

/** A process that follows the feed: `follow-in-child.ts <database URL> <feed URL>`. It prints a line for each report. */
const [url = '', feedUrl = ''] = process.argv.slice(2)
const log = createLog('silent')
const db = openTestDatabase({ url, poolSize: 2 })
const onChanges = async () => void process.stdout.write('report\n')
const globals = globalTables('wp_')
new TaskRunner({ db, globals, log }).add(new ChangeFeed({ db, globals, feedUrl, log, onChanges }))
