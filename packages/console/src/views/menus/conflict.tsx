import { Notice } from '../../parts/notice.tsx'
import { Time } from '../../parts/time.tsx'
import { useSiteRead } from '../../reading.ts'
import { inSite, linkTo, path } from '../../router.ts'
import { count, textOf } from '../../text.ts'
import { authorOf } from '../history/describe-entry.ts'
import { changesBetween, type TreeChange } from './draft.ts'
import { useEditedMenu } from './edited-menu.ts'
import { TreeView } from './tree-view.tsx'

/** Changes that are listed. */
const MAX_LISTED = 50

/** Somebody else has stored the menu: who, what it changed, and the own unsaved tree beside it. */
export function Conflict() {
  const { draft, menu, isRtl } = useEditedMenu()
  const kept = draft.conflict.value
  const { reading } = useSiteRead(
    'listHistory',
    kept && { kind: 'menu', ref: String(menu.id), limit: 1 },
  )
  if (!kept) return null
  const { entries = [], names } = reading.state === 'ready' ? reading.answer : {}
  const [entry] = entries
  const changes = kept.base.length > 0 ? changesBetween(kept.base, draft.base.tree) : []
  return (
    <Notice tone="warn" title="The menu was stored by somebody else while you edited it">
      {entry && (
        <p>
          The last write was by <bdi>{authorOf(entry, names)}</bdi>, <Time at={entry.at} />.{' '}
          <a href={linkTo(inSite(path`/history/${entry.id}`))}>Show it</a>
        </p>
      )}
      {changes.length > 0 && <Changes changes={changes} />}
      <p>The editor shows the menu as it is stored now. Your unsaved items:</p>
      <div class="mine">
        <TreeView
          label="Your unsaved items"
          tree={kept.tree}
          isRtl={isRtl}
          chosen={-1}
          marksOf={() => []}
          onChoose={() => {}}
        />
      </div>
      <p class="row">
        <button type="button" onClick={() => draft.takeOver(kept.tree)}>
          Go on with mine
        </button>
        <button type="button" class="quiet" onClick={() => draft.discard()}>
          Discard mine
        </button>
        <span>Before anything is stored, you see what would change.</span>
      </p>
    </Notice>
  )
}

function Changes({ changes }: { readonly changes: readonly TreeChange[] }) {
  return (
    <ul class="changes" aria-label="What was changed meanwhile">
      {changes.slice(0, MAX_LISTED).map(({ change, title }, at) => (
        <li key={at}>
          <span class="badge warn">{change}</span> <bdi>{textOf(title)}</bdi>
        </li>
      ))}
      {changes.length > MAX_LISTED && (
        <li class="none">and {count(changes.length - MAX_LISTED, 'more change')}</li>
      )}
    </ul>
  )
}
