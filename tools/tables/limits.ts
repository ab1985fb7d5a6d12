import { STDIO_DEFAULT_MAX_BUFFER_SIZE } from '@modelcontextprotocol/server'
import { MAX_COMPARED_ANSWER_BYTES } from '../../packages/migration/src/commands/compare/compared-side.ts'
import {
  MAX_IMPORT_BYTES,
  MAX_IMPORTED_TOKENS,
} from '../../packages/migration/src/commands/token-import.ts'
import { MAX_SITE_REQUESTS } from '../../packages/migration/src/compare/compare-site.ts'
import { MAX_KEPT_BACK_BYTES } from '../../packages/migration/src/old-endpoint/answer-streams.ts'
import { MAX_TOKEN_ANSWER_BYTES } from '../../packages/migration/src/old-endpoint/ask-about-token.ts'
import {
  KNOWN_TOKEN_QUESTIONS,
  MAX_REFUSALS,
  UNKNOWN_TOKEN_QUESTIONS,
} from '../../packages/migration/src/old-endpoint/asked-tokens.ts'
import {
  LIVE_COMPARISONS,
  MAX_COMPARED_BYTES,
} from '../../packages/migration/src/old-endpoint/live-comparison.ts'
import {
  MIN_BYTES,
  OTHER_PASSED_REQUESTS,
  PASSED_REQUESTS,
} from '../../packages/migration/src/old-endpoint/pass-requests.ts'
import { MAX_SELECTOR_BODY_BYTES } from '../../packages/migration/src/old-endpoint/written-sites.ts'
import { MAX_HTML_BYTES, MAX_METADATA_BYTES } from '../../packages/store-s3/src/copy-object.ts'
import {
  MAX_OBJECT_BYTES,
  REQUESTS_AT_ONCE,
  REQUESTS_PER_SITE,
} from '../../packages/store-s3/src/store-client.ts'
import { MAX_KEY_BYTES } from '../../packages/store-s3/src/store-key.ts'
import { MAX_BATCH_REQUESTS } from '../../src/api/endpoints/batch.ts'
import {
  MAX_FIXED_FINDINGS,
  MAX_FIXES,
  MAX_LISTED_FINDINGS,
  MAX_RUNNING_EXAMINATIONS,
  MAX_WAITING_EXAMINATIONS,
} from '../../src/api/endpoints/findings.ts'
import {
  CHECKS_OF_USER,
  MAX_CHECKED_FRAMES,
  MAX_REBAKED_FRAMES,
} from '../../src/api/endpoints/frame-bakes.ts'
import { MAX_UNSAVED_PROBLEMS } from '../../src/api/endpoints/frame-fields.ts'
import { FRAMES_PER_PAGE, MAX_LIST_HTML_BYTES } from '../../src/api/endpoints/frames.ts'
import {
  MAX_GRAPH_EDGES,
  MAX_GRAPH_NODES,
  MAX_IMPACT_ENTRIES,
} from '../../src/api/endpoints/graph.ts'
import { MAX_PAGE_ENTRIES } from '../../src/api/endpoints/history.ts'
import { MENU_TARGETS } from '../../src/api/endpoints/menus.ts'
import {
  MAX_CLASS_MARKUP_BYTES,
  MAX_COMPLETIONS,
  PAGES_PER_PAGE,
} from '../../src/api/endpoints/pages.ts'
import { MAX_LISTED_DRIFT } from '../../src/api/endpoints/plans.ts'
import { MAX_UNSAVED, PREVIEWS_OF_USER } from '../../src/api/endpoints/preview.ts'
import { MAX_REQUESTS } from '../../src/api/endpoints/restore.ts'
import { SITES_PER_PAGE } from '../../src/api/endpoints/sites.ts'
import { FOLLOWERS } from '../../src/api/event-requests.ts'
import { MAX_RESULT_CHARACTERS } from '../../src/api/mcp/cut-result.ts'
import { DRIFT_SITES_PER_PAGE, PLANS_PER_PAGE } from '../../src/api/page-sizes.ts'
import { MAX_SEARCH_LENGTH } from '../../src/api/paging.ts'
import {
  MAX_BODY_BYTES,
  MAX_BODY_BYTES_IN_PROCESS,
  MAX_BODY_BYTES_OF_USER,
  MAX_BODY_VALUES,
  MAX_LARGE_BODY_BYTES,
  MAX_OBJECT_MEMBERS,
} from '../../src/api/request-body.ts'
import { MAX_KEY_LENGTH } from '../../src/api/run/idempotency-key.ts'
import {
  MAX_RUNNING_LONG_READS,
  MAX_RUNNING_READS,
  MAX_WAITING_READS,
} from '../../src/api/run/read-queue.ts'
import { MAX_DOMAIN_LENGTH } from '../../src/api/site-choice.ts'
import { MAX_SHOWN_MENU_BYTES } from '../../src/build/baking/site-data.ts'
import { BYTES_AT_ONCE, FRAMES_AT_ONCE } from '../../src/build/executor/bake-things.ts'
import { MAX_LISTED } from '../../src/build/preview/affected.ts'
import { MAX_CACHE_TAG_BYTES, MAX_CACHE_TAGS } from '../../src/build/publishing/cache-tags.ts'
import { MAX_ROWS_READ } from '../../src/changes/feed/change-listener.ts'
import {
  MAX_OPTIONS_PER_SITE,
  MAX_POSTS_PER_SITE,
  MAX_SITES,
} from '../../src/changes/feed/changed-sites.ts'
import { MESSAGES_AT_ONCE } from '../../src/changes/webhooks/webhook-sender.ts'
import {
  MAX_DESCRIPTION_BYTES,
  MAX_SEARCHED,
  MAX_UNREAD,
} from '../../src/cli/network/folder-files.ts'
import {
  MAX_DIFF_CHARACTERS,
  MAX_DIFFS,
  MAX_ITEM_CHANGES,
  MAX_SHOWN_DIFF_LENGTH,
  MAX_TITLES,
} from '../../src/content/diff/diff-limits.ts'
import { MAX_COMPARISONS } from '../../src/content/frames/find-problems.ts'
import { MAX_MARKUP_BYTES } from '../../src/content/frames/frame-markup.ts'
import { MAX_SLUG_LENGTH } from '../../src/content/frames/slug.ts'
import {
  FULL_LIMITS,
  MAX_CLOSURE_BYTES,
  MAX_EVALUATION_DEPTH,
  MAX_FRAME_DEPTH,
  MAX_ROWS,
} from '../../src/content/markup/evaluation/budget.ts'
import { MAX_BROKEN_INSERTS } from '../../src/content/markup/evaluation/compile.ts'
import { MAX_NAMES } from '../../src/content/markup/markup-report.ts'
import { MAX_BOUND_ATTRIBUTES } from '../../src/content/markup/nodes.ts'
import { MAX_BINDS } from '../../src/content/markup/parse-binds.ts'
import { MAX_PATH_LENGTH } from '../../src/content/markup/value-path.ts'
import {
  MAX_CLASSES,
  MAX_CLASSES_LENGTH,
  MAX_ITEMS,
  MAX_TEXT_BYTES,
  MAX_TREE_CHARACTERS,
  MAX_URL_LENGTH,
  MAX_LEVELS as MENU_LEVELS,
} from '../../src/content/menus/item-tree.ts'
import {
  MAX_PLANNED_BYTES,
  MAX_PLANNED_WRITES,
} from '../../src/content/planned-writes/planned-writes-table.ts'
import { MAX_RESTORED_THINGS } from '../../src/content/restore/choose-targets.ts'
import { MAX_PAGES, MAX_THINGS } from '../../src/content/work/due-work.ts'
import { MAX_PURGED_SITES } from '../../src/content/work/purges.ts'
import { MAX_WORK_PER_SITE, MAX_WORK_PER_WRITE } from '../../src/content/work/record-work.ts'
import { MAX_ERROR_LENGTH } from '../../src/content/work/work-tables.ts'
import {
  MAX_PREVIEWS,
  MAX_SNAPSHOTS,
  MAX_WAITING_WRITES,
  MAX_WORK_CONNECTIONS,
} from '../../src/db/database.ts'
import { MAX_PACKET_BYTES, MAX_PACKET_STATEMENTS } from '../../src/db/session.ts'
import { MAX_WAITING_JOBS } from '../../src/host/concurrency/worker-pool.ts'
import { MAX_CACHE_TAG_PREFIX } from '../../src/host/config/cache-purge.ts'
import { parseConfig } from '../../src/host/config/config.ts'
import { MAX_UNSENT_BYTES } from '../../src/host/http-server.ts'
import { MAX_WAITING_LOG_BYTES } from '../../src/host/log.ts'
import { TIMINGS } from '../../src/host/timings.ts'
import {
  MAX_CRITERION_VALUES,
  MAX_SELECTIONS,
  MAX_VARIABLE_LENGTH,
  MAX_VARIABLES,
} from '../../src/network/description/description.ts'
import { MAX_DESIRED_THINGS } from '../../src/network/description/resolve-description.ts'
import { KEPT_ANSWERS } from '../../src/record/auth/rate-limits.ts'
import { MAX_TOKEN_SITES } from '../../src/record/auth/token-scopes.ts'
import { MAX_ANSWER_BYTES } from '../../src/record/idempotency/kept-answers.ts'
import { MAX_NAME_LENGTH } from '../../src/wordpress/formatting/menu-texts.ts'
import { MAX_DOMAINS } from '../../src/wordpress/languages/polylang-settings.ts'
import { MAX_MENU_BYTES } from '../../src/wordpress/nav-menus/read-menu.ts'
import { MAX_STALE_KEYS } from '../../src/wordpress/object-cache/object-cache.ts'
import { characters, count, mb, seconds } from './limit-texts.ts'
import { WEBHOOK_LIMITS } from './webhook-limits.ts'

const config = parseConfig({})

const questionsOf = (queue: typeof UNKNOWN_TOKEN_QUESTIONS, key: string): string =>
  `${queue.concurrency} in a process, ${queue.concurrencyPerKey} of ${key} and ${queue.maxWaitingPerKey} waiting, ${seconds(TIMINGS.auth.askWaitMs)}`

/** What the code enforces, by the name of the limit in docs/configuration.md. Limits without a constant are written out. */
const ENFORCED: Readonly<Record<string, string>> = {
  'requests of a token': `${config.rateLimitPerMinute} a minute, \`RATE_LIMIT_PER_MINUTE\``,
  'failed authentications of an address': `${config.authFailuresPerMinute} a minute, \`AUTH_FAILURES_PER_MINUTE\``,
  'body of a request': mb(MAX_BODY_BYTES),
  'body with markup or a menu tree': mb(MAX_LARGE_BODY_BYTES),
  'values in a body, and in the JSON that a tool gets as texts': count(MAX_BODY_VALUES),
  'members of an object in a body': count(MAX_OBJECT_MEMBERS),
  'messages that are sent by hand (`test`, `replay`)': `${MESSAGES_AT_ONCE.concurrencyPerKey} of a site and of a user at once, ${MESSAGES_AT_ONCE.concurrency} in a process`,
  'concurrent bodies of one user': `${mb(MAX_BODY_BYTES_OF_USER)} in a process`,
  'concurrent bodies in all': `${mb(MAX_BODY_BYTES_IN_PROCESS)} in a process`,
  'responses that clients have not received yet': `${mb(MAX_UNSENT_BYTES)} in a process`,
  'time without progress while a client receives a response or a stream': seconds(
    TIMINGS.http.unsentTimeoutMs,
  ),
  'requests that wait for changes (`wait`, `text/event-stream`)': `${FOLLOWERS.ofToken} of a token and ${FOLLOWERS.ofProcess} in all, in a process`,
  'pause between two comments of a stream, with which its token is checked again': seconds(
    TIMINGS.events.heartbeatMs,
  ),
  'time from a stop signal to the end of a process': seconds(TIMINGS.process.stopLimitMs),
  '`domain` in the legacy addressing': characters(MAX_DOMAIN_LENGTH),
  'requests that are passed to the old endpoint': `${PASSED_REQUESTS.concurrency} in a process, ${PASSED_REQUESTS.concurrencyPerKey} of a token that it has accepted within the hour; besides that ${OTHER_PASSED_REQUESTS.concurrency}, ${OTHER_PASSED_REQUESTS.concurrencyPerKey} of an address`,
  'waiting requests to the old endpoint, of an address': `${PASSED_REQUESTS.maxWaitingPerKey} in a process, ${seconds(TIMINGS.legacy.waitMs)}`,
  'body of a request to the old endpoint': `${config.legacyMaxMb} MB, \`LEGACY_MAX_MB\``,
  'silence of the old endpoint': `${config.legacyTimeoutSeconds} seconds, \`LEGACY_TIMEOUT_SECONDS\``,
  'concurrent reads of a site': `${MAX_RUNNING_READS} in a process, ${MAX_RUNNING_LONG_READS} after a long one`,
  'waiting reads of a site': `${MAX_WAITING_READS} in a process, ${seconds(TIMINGS.api.readWaitMs)}`,
  'concurrent writes of a site': '1 in a process',
  'waiting writes of a site': `${MAX_WAITING_WRITES} in a process, ${seconds(TIMINGS.db.writeWaitMs)}`,
  'connections for reads': `${config.dbPoolSize} in a process, \`DB_POOL_SIZE\``,
  'wait of a write for its effects': `${config.effectsBudgetMs} ms, \`EFFECTS_BUDGET_MS\``,
  'silence of the store of the static copies': `${seconds(TIMINGS.store.silenceMs)}, ${seconds(TIMINGS.store.urgentSilenceMs)} while a visitor waits`,
  'object of a static copy that the front reads': `${mb(MAX_OBJECT_BYTES)}, and ${mb(MAX_HTML_BYTES)} of HTML`,
  'key of the object of a static copy': `${count(MAX_KEY_BYTES)} bytes`,
  'pause before failed work is tried again': `${TIMINGS.work.maxBackoffMs / 1000} seconds`,
  'tags of a page': `${MAX_CACHE_TAGS}, in a header of ${count(MAX_CACHE_TAG_BYTES)} bytes`,
  'prefix of tags': characters(MAX_CACHE_TAG_PREFIX),
  'concurrent large builds of a site': '1 in a process',
  'waiting large builds of a site': `${MAX_WAITING_JOBS} in a process, ${seconds(TIMINGS.threads.jobWaitMs)}`,
  'duration of a large build': seconds(TIMINGS.threads.jobMs),
  'markup of a frame': mb(MAX_MARKUP_BYTES),
  'markup of all frames of a site': `${config.storedMbPerSite} MB, \`STORED_MB_PER_SITE\``,
  'things in one restore': count(MAX_RESTORED_THINGS),
  'requests that one restore undoes': count(MAX_REQUESTS),
  'requests of a batch': count(MAX_BATCH_REQUESTS),
  'unsaved frames, menus and data sets of a preview, each': count(MAX_UNSAVED),
  'frames and pages that a preview lists': count(MAX_LISTED),
  'previews of a user': `${PREVIEWS_OF_USER.concurrencyPerKey} at a time and ${PREVIEWS_OF_USER.maxWaitingPerKey} waiting, in a process`,
  'frames of a check': count(MAX_CHECKED_FRAMES),
  'checks of a user': `${CHECKS_OF_USER.concurrencyPerKey} at a time and ${CHECKS_OF_USER.maxWaitingPerKey} waiting, in a process`,
  'time of a preview': seconds(TIMINGS.api.previewMs),
  'message of an MCP client': `${mb(MAX_LARGE_BODY_BYTES)} over HTTP, ${mb(STDIO_DEFAULT_MAX_BUFFER_SIZE)} on standard input`,
  'result of a tool of an MCP client': `${characters(MAX_RESULT_CHARACTERS)}, about`,
  'planned writes of a token': `${MAX_PLANNED_WRITES}, for ${TIMINGS.plannedWrites.keptMinutes} minutes`,
  'input of a planned write': `${mb(MAX_PLANNED_BYTES)} compressed`,
  'things in one response whose difference is read': `${count(MAX_DIFFS)}, with ${characters(MAX_DIFF_CHARACTERS)} together, ${seconds(TIMINGS.diff.answerMs)}`,
  'time of the requests of a batch': seconds(TIMINGS.api.batchMs),
  '`Idempotency-Key`': characters(MAX_KEY_LENGTH),
  'answer that is kept for an `Idempotency-Key`': `${MAX_ANSWER_BYTES / 1024} kB compressed, ${TIMINGS.idempotency.keptHours} hours`,
  'kept answers of a token': `${mb(KEPT_ANSWERS.bytes)} of JSON in ${KEPT_ANSWERS.seconds / 3600} hours, of all instances with \`REDIS_URL\`, else of each`,
  'entries on a page of the history': count(MAX_PAGE_ENTRIES),
  'sites, frames or pages on a page of a list': count(
    Math.max(SITES_PER_PAGE.max, FRAMES_PER_PAGE.max, PAGES_PER_PAGE.max),
  ),
  'things of each kind in `GET /menus/{ref}/targets`': count(MENU_TARGETS.max),
  'text that a list is searched for': characters(MAX_SEARCH_LENGTH),
  'nodes of a graph': `${MAX_GRAPH_NODES}, with ${count(MAX_GRAPH_EDGES)} edges`,
  'entries of a list in `impact`': count(MAX_IMPACT_ENTRIES),
  'running examinations of sites (`GET /findings`, `GET /description`)': `${MAX_RUNNING_EXAMINATIONS} in a process`,
  'time in which an examination begins with further checks': seconds(TIMINGS.api.examinationMs),
  'waiting examinations of a site': `${MAX_WAITING_EXAMINATIONS} in a process, ${seconds(TIMINGS.api.examinationWaitMs)}`,
  'findings in a response': count(MAX_LISTED_FINDINGS),
  'fixes of one request': count(MAX_FIXES),
  'findings that one fix corrects in a request': count(MAX_FIXED_FINDINGS),
  'time in which a request begins with further fixes': seconds(TIMINGS.api.fixingMs),
  'plans in the list of plans': count(PLANS_PER_PAGE.max),
  'sites on a page of `GET /network/drift`': count(DRIFT_SITES_PER_PAGE.max),
  'things of a site in `GET /network/drift`': count(MAX_LISTED_DRIFT),
  'diff of a step, in `GET /network/plans/<id>` and `GET /network/drift`':
    characters(MAX_SHOWN_DIFF_LENGTH),
  'sites that a token can be limited to': count(MAX_TOKEN_SITES),
  "age of the old endpoint's answer about a token (`LEGACY_TOKENS=ask`)": `${TIMINGS.auth.maxCheckAgeMinutes} minutes`,
  'expiry of a token that the old endpoint accepts': `${TIMINGS.auth.askedTokenDays} days after the last time`,
  'question about a token': `${seconds(TIMINGS.legacy.askMs)}, an answer of ${mb(MAX_TOKEN_ANSWER_BYTES)}`,
  'tokens of one import': `${count(MAX_IMPORTED_TOKENS)}, in a file of ${mb(MAX_IMPORT_BYTES)}`,
  ...WEBHOOK_LIMITS,
  'markup of a frame and all frames that it embeds': mb(MAX_CLOSURE_BYTES),
  'nesting of frames': count(MAX_FRAME_DEPTH),
  'nesting of elements and repeats': count(MAX_EVALUATION_DEPTH),
  'rows of a repeat': count(MAX_ROWS),
  'inserts, binds, rows and menu items of a build': count(FULL_LIMITS.steps),
  'output of a build, for each language': mb(FULL_LIMITS.bytes),
  'time of a build, for each language': seconds(FULL_LIMITS.milliseconds),
  'binds of an element': count(MAX_BINDS),
  'attributes of an element with binds': count(MAX_BOUND_ATTRIBUTES),
  'path of a bind': characters(MAX_PATH_LENGTH),
  'problems of unsaved frames in a preview or a check': count(MAX_UNSAVED_PROBLEMS),
  'completions of each kind': count(MAX_COMPLETIONS),
  'slug of a frame': characters(MAX_SLUG_LENGTH),
  'markup in a list with `include_html=1`': `${mb(MAX_LIST_HTML_BYTES)} of JSON`,
  'frames of one `POST /frames/rebake`': count(MAX_REBAKED_FRAMES),
  'static copies of a site': `${config.staticMbPerSite} MB, \`STATIC_MB_PER_SITE\``,
  'items of a menu': count(MAX_ITEMS),
  'levels of a menu': count(MENU_LEVELS),
  'URL of a menu item': characters(MAX_URL_LENGTH),
  'classes of a menu item': `${MAX_CLASSES}, in ${characters(MAX_CLASSES_LENGTH)}`,
  'other texts of a menu item': `${count(MAX_TEXT_BYTES)} bytes`,
  'texts of all items in a request': `${count(MAX_TREE_CHARACTERS)} characters`,
  'stored items of a menu, and of all menus that the frames of a site show': `${mb(MAX_MENU_BYTES)}, ${mb(MAX_SHOWN_MENU_BYTES)}`,
  'name of a menu': characters(MAX_NAME_LENGTH),
  "Polylang domains of a site's languages": count(MAX_DOMAINS),
  'requests of `wp-frames compare` to each side, for one site': `${MAX_SITE_REQUESTS}`,
  'bundles of a description, and selections': `${count(MAX_SELECTIONS)} each`,
  'values of a criterion of a selection': count(MAX_CRITERION_VALUES),
  'variables of a site': `${MAX_VARIABLES}, each of ${characters(MAX_VARIABLE_LENGTH)}`,
  'different frames, menu items and pages that a description wants': count(MAX_DESIRED_THINGS),
  'description of a site (`GET /description`)': `${mb(MAX_LARGE_BODY_BYTES)} of JSON, ${seconds(TIMINGS.api.examinationMs)}`,
  'files of a description': `${mb(MAX_DESCRIPTION_BYTES)} together`,
  'log lines that wait to be written': `${mb(MAX_WAITING_LOG_BYTES)} in a process`,
}

/** Bounds that hardly any client meets, by their name in docs/performance.md. */
const INNER: Readonly<Record<string, string>> = {
  'answer to a passed write that is kept back until the pages are built': mb(MAX_KEPT_BACK_BYTES),
  'body in which a passed write may name its site': mb(MAX_SELECTOR_BODY_BYTES),
  'answers of the old endpoint that are compared': `${LIVE_COMPARISONS.concurrency} at the same time in a process, of ${mb(MAX_COMPARED_BYTES)}`,
  'connections used by writes of all sites': 'half of `DB_POOL_SIZE`, besides these',
  'connections for reads that travel together': 'half of `DB_POOL_SIZE`, besides these',
  'statements in a packet to the database': count(MAX_PACKET_STATEMENTS),
  'packet of several statements to the database': `${mb(MAX_PACKET_BYTES)}, and half of the server's \`max_allowed_packet\``,
  'connections for snapshots': `${MAX_SNAPSHOTS} in a process, besides \`DB_POOL_SIZE\``,
  'connections for the transactions of builders': `${MAX_WORK_CONNECTIONS} in a process, besides \`DB_POOL_SIZE\``,
  'connections for previews': `${MAX_PREVIEWS} in a process, besides \`DB_POOL_SIZE\``,
  'things that one write records as work': count(MAX_WORK_PER_WRITE),
  'work of a site, besides pages and purges': `${count(MAX_WORK_PER_SITE)} rows`,
  'requests to the store of the static copies (`STATIC_TARGET`)': `${REQUESTS_AT_ONCE} in a process, ${REQUESTS_PER_SITE} of a site`,
  'metadata of the object of a static copy': `${count(MAX_METADATA_BYTES)} bytes`,
  'things that one slice builds': count(MAX_THINGS),
  'frames that one slice bakes': `${count(FRAMES_AT_ONCE)}, and ${mb(BYTES_AT_ONCE)} of their markup`,
  'pages that one slice publishes': count(MAX_PAGES),
  'time that a process has a site to build without renewal': `${TIMINGS.work.leaseMs / 1000} seconds`,
  'writes of the object of a static copy': `${1000 / TIMINGS.store.rewriteMs} a second`,
  'sites that a page cache purges together': count(MAX_PURGED_SITES),
  'posts of a site that the change feed lists at a time': count(MAX_POSTS_PER_SITE),
  'options of a site that the change feed lists at a time': count(MAX_OPTIONS_PER_SITE),
  'rows of a transaction that the change feed reads': count(MAX_ROWS_READ),
  'sites that the change feed lists at a time': count(MAX_SITES),
  'time that a process has the change feed without renewal': `${TIMINGS.tasks.leaseMs / 1000} seconds`,
  'stored reason of a failure': characters(MAX_ERROR_LENGTH),
  'titles beside the differences in one response': count(MAX_TITLES),
  'concurrent questions about unknown tokens': questionsOf(UNKNOWN_TOKEN_QUESTIONS, 'an address'),
  'concurrent questions about tokens that were accepted': questionsOf(
    KNOWN_TOKEN_QUESTIONS,
    'a token',
  ),
  'remembered refusals of tokens': `${count(MAX_REFUSALS)} in a process, ${TIMINGS.auth.refusedSeconds} seconds`,
  'names in a frame that are looked up on its site': count(MAX_NAMES),
  'markup in which completions look for classes': mb(MAX_CLASS_MARKUP_BYTES),
  'comparisons for suggestions in a list of problems': count(MAX_COMPARISONS),
  'an answer that `wp-frames compare` reads': mb(MAX_COMPARED_ANSWER_BYTES),
  'speed of a client of the old endpoint, while others wait': `${MIN_BYTES / 1024} kB in ${seconds(TIMINGS.legacy.slowMs)}`,
  'broken inserts, and locations without a menu, of a frame that the doctor reports': `${MAX_BROKEN_INSERTS} each`,
  'files and folders of a description that are searched for files in no bundle': `${count(MAX_SEARCHED)}, of which ${MAX_UNREAD} are named`,
  'pause before failed work is tried again while the store of the static copies is busy or away': `${TIMINGS.work.temporaryPauseMs / 1000} seconds`,
  'changes of menu items in one difference': count(MAX_ITEM_CHANGES),
  'time of a statement of a preview': `${TIMINGS.db.previewStatementSeconds} seconds`,
  'wait of a preview for a lock': `${TIMINGS.db.previewLockWaitSeconds} seconds`,
  'object cache keys that wait to be deleted': count(MAX_STALE_KEYS),
}

/** Values that stand among what happens beyond a limit, by the name of the limit; each text has one number. */
const BEYOND: Readonly<Record<string, readonly string[]>> = {
  "age of the old endpoint's answer about a token (`LEGACY_TOKENS=ask`)": [
    `up to ${TIMINGS.auth.maxUncheckedMinutes} minutes after the last answer`,
  ],
  'question about a token': [`for ${TIMINGS.auth.askPauseSeconds} seconds`],
}

/** The head of both tables, each of which ends its page. */
const HEAD = '| limit | value | beyond it |\n|---|---|---|\n'

/** docs/configuration.md with the limits that users and operators meet. */
export const limitsPage = (page: string): string => withLimits(page, ENFORCED)

/** docs/performance.md with the other ones. */
export const innerLimitsPage = (page: string): string => withLimits(page, INNER)

/**
 * A page with the values that the code enforces. Names and what happens beyond the limits are written by hand.
 * @throws if the table does not have exactly these limits
 */
function withLimits(page: string, limits: Readonly<Record<string, string>>): string {
  const missing = new Set(Object.keys(limits))
  const [before = '', table = ''] = page.split(HEAD)
  const filled = table.replace(/^\| (.+?) \| (.+?) \| (.+?) \|$/gm, (_row, name, _, beyond) => {
    const value = limits[name]
    if (!missing.delete(name)) throw new Error(`tools/tables/limits.ts has no limit "${name}"`)
    return `| ${name} | ${value} | ${withValues(beyond, BEYOND[name])} |`
  })
  if (missing.size > 0) throw new Error(`A table of limits lacks: ${[...missing].join(', ')}`)
  return before + HEAD + filled
}

function withValues(beyond: string, values: readonly string[] = []): string {
  return values.reduce((text, value) => {
    const filled = text.replace(new RegExp(value.replace(/\d+/, '\\d+')), value)
    if (!filled.includes(value)) throw new Error(`docs/configuration.md lacks "${value}"`)
    return filled
  }, beyond)
}
