import { z } from 'zod'
import { presentDiff } from '../../content/diff/entry-diff.ts'
import { compareStates } from '../../content/planned-writes/written-things.ts'
import { ChangedSince } from '../../content/restore/changed-since.ts'
import { chooseTargets, type RestoreScope } from '../../content/restore/choose-targets.ts'
import { runRestore } from '../../content/restore/run-restore.ts'
import { maxSiteBytesOf } from '../../host/config/config.ts'
import { AppError } from '../../host/errors.ts'
import { assertScope, type TokenScope } from '../../record/auth/token-scopes.ts'
import {
  HISTORY_ACTIONS,
  HISTORY_KINDS,
  type HistoryKind,
} from '../../record/history/history-row.ts'
import { optional } from '../described.ts'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'
import { EFFECTS, flag, objectBody } from '../fields.ts'
import { withLinkTitles } from '../link-titles.ts'
import { readNamesForCaller } from '../names.ts'
import { pick } from '../pick.ts'
import { invalidParam } from '../sent-fields.ts'
import { findMarkupRefusal } from './frame-fields.ts'
import { atField, diffFields, idsOf, presentEntry, timeField } from './history.ts'
import { writerOf } from './menu-fields.ts'

const thingFields = {
  kind: z.enum(HISTORY_KINDS),
  ref: z.string(),
  name: z.string(),
}

const ObstacleSchema = z.object({ ...thingFields, reason: z.string(), message: z.string() })

/** Requests that one restore undoes. */
export const MAX_REQUESTS = 50

const requestId = z.string().max(36)

const scopeFields = {
  entry: optional(z.int().positive(), 'Restores one thing to its state after this entry.', 1207),
  request_id: optional(
    z.union([requestId, z.array(requestId).min(1).max(MAX_REQUESTS)]),
    `Restores everything that this request wrote to the state before; a list of at most ${MAX_REQUESTS} ids undoes all of them at once.`,
  ),
  token_id: optional(
    z.int().positive(),
    'Restores everything that was written with this token since `since`.',
  ),
  since: timeField('With `token_id`: from when on.'),
  at: z
    .preprocess((at) => (typeof at === 'number' ? String(at) : at), atField)
    .meta({
      description:
        'Restores all frames, menus, locations, assignments and data sets to a moment: a time, or the id of an entry.',
      examples: ['2026-03-01T09:30:00Z'],
    }),
}

const restoreEndpoint = defineEndpoint({
  name: 'restoreSite',
  method: 'post',
  path: '/restore',
  summary: 'Restore one thing, what a request or a token wrote, or everything to a moment',
  description:
    'Exactly one of `entry`, `request_id`, `token_id` (with `since`) and `at`. Everything is restored in one transaction; what cannot be restored is listed in `not_restored`, and so are inserts that name no frame afterwards. Frames that embed a renamed frame embed it by its restored slug. Deleted frames and menus get their ids again, items of menus where their ids are free. A restore is a write with entries of its own, so that it can be undone with its request id. `If-Match` is for `entry` only; with `if_unchanged`, nothing is restored if something that the request or the token wrote was changed since. Frames and assignments of pages need the scope `frames`, menus and their locations `menus`, data sets `all`.',
  scope: 'read',
  body: objectBody({
    ...scopeFields,
    if_unchanged: flag(
      false,
      'With `request_id` or `token_id`: restore nothing if one of the things was changed since (`409 changed_since`).',
    ),
    everything: flag(
      false,
      'With `at`: also things without an entry since, which other programs have changed, or which a lost table no longer has. A menu that was edited in WordPress since its last entry goes back to that entry.',
    ),
    dry_run: flag(false, 'Report what would be restored, with diffs, but store nothing.'),
    bake: flag(true, 'False: do not build anything now.'),
  }),
  example: { at: '2026-03-01T09:30:00Z', dry_run: true },
  response: z.object({
    dry_run: z.boolean(),
    restored: z
      .array(z.object({ ...thingFields, action: z.enum(HISTORY_ACTIONS), ...diffFields }))
      .describe(
        'What was written: what differed from the wanted state, frames that embed a renamed one, and pages of deleted frames.',
      ),
    not_restored: z
      .array(ObstacleSchema)
      .describe('What could not be restored, or not completely, and why.'),
  }),
  errors: [
    'entry_not_found',
    'restore_too_large',
    'changed_since',
    'insufficient_scope',
    'precondition_failed',
    'unfiltered_html_required',
    'frame_too_large',
    'site_quota_exceeded',
    'frame_charset_unsupported',
    'frame_unreadable',
    'menu_assignment_not_stored',
    'engine_not_transactional',
  ],
  effects: EFFECTS,
  async prepare({ db, site, body, precondition, caller }) {
    const { if_unchanged: ifUnchanged, everything } = body
    const chosen = scopeOf(body)
    if (everything && !('moment' in chosen)) throw invalidParam('everything', 'is for at')
    const scope = 'moment' in chosen ? { ...chosen, everything } : chosen
    if (ifUnchanged && !('requestId' in scope || 'tokenId' in scope))
      throw invalidParam('if_unchanged', 'is for request_id and token_id')
    if (precondition && !('entry' in scope))
      throw invalidParam('If-Match', 'is for a restore of one thing (entry)')
    const targets = await chooseTargets(db, site, scope)
    for (const { kind } of [...targets.targets.map(({ thing }) => thing), ...targets.unknown])
      assertScope(caller.limits, SCOPES[kind] ?? 'all')
    return { ...targets, isWhole: 'moment' in scope }
  },
  async write(tx, call, { isWhole, ...chosen }) {
    const { site, body, now, precondition, isDryRun } = call
    const { bake, if_unchanged: ifUnchanged } = body
    const writer = {
      ...writerOf(call),
      markupRefusal: findMarkupRefusal(call),
      analyzer: call.markupAnalyzer(site),
      maxSiteBytes: maxSiteBytesOf(call),
      now,
    }
    const request = { bake, precondition, ifUnchanged, isWhole }
    const { restored, obstacles, change } = await runRestore(
      tx,
      site,
      chosen,
      request,
      writer,
    ).catch(async (error) => {
      throw error instanceof ChangedSince ? await presentChanged(call, error) : error
    })
    return {
      body: {
        dry_run: isDryRun,
        restored: [],
        not_restored: obstacles.map((obstacle) => pick(ObstacleSchema, obstacle)),
      },
      change,
      later: async (db) => ({
        restored: await withLinkTitles(db, site, await compareStates(site, restored)),
      }),
    }
  },
})

/** The scope that a write of a thing needs. */
const SCOPES: { readonly [Kind in HistoryKind]?: TokenScope } = {
  frame: 'frames',
  assignment: 'frames',
  menu: 'menus',
  location: 'menus',
}

async function presentChanged(
  call: Parameters<typeof readNamesForCaller>[0],
  { total, things }: ChangedSince,
): Promise<AppError> {
  const presented = things.map(({ entry, diff, ...thing }) => ({
    ...thing,
    entry: entry ? presentEntry(entry) : null,
    ...presentDiff(diff),
  }))
  const changed = await withLinkTitles(call.db, call.site, presented)
  const names = await readNamesForCaller(call, idsOf(changed.flatMap(({ entry }) => entry ?? [])))
  const listed = things.slice(0, 5).map(({ kind, name }) => `${kind} "${name}"`)
  return new AppError(
    'changed_since',
    `Nothing is restored, because that would undo later changes of ${listed.join(', ')}${total > listed.length ? ` and ${total - listed.length} more` : ''}. Restore without if_unchanged to undo them too, or restore single entries.`,
    { changed_total: total, changed, names },
  )
}

type ScopeBody = {
  readonly [Field in keyof typeof scopeFields]?: z.output<(typeof scopeFields)[Field]>
}

/** @throws AppError `rest_invalid_param` unless the body has exactly one scope */
function scopeOf({ entry, request_id, token_id, since, at }: ScopeBody): RestoreScope {
  const scopes: RestoreScope[] = [
    ...(entry === undefined ? [] : [{ entry }]),
    ...(request_id === undefined ? [] : [{ requestId: request_id }]),
    ...(at === undefined ? [] : [{ moment: at }]),
  ]
  if (token_id !== undefined) {
    if (since === undefined) throw invalidParam('since', 'is required with token_id')
    scopes.push({ tokenId: token_id, since })
  }
  const [scope] = scopes
  if (scope && scopes.length === 1) return scope
  throw invalidParam('entry', 'send exactly one of entry, request_id, token_id and at')
}

export const endpoints: readonly Endpoint[] = [restoreEndpoint]
